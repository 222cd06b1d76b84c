// SLEEF's deterministic functions under the names of elementary.h, and under their common ones for ODE.
#include "sim/base/elementary.h"

#include <sleef.h>

// "cinz" are SLEEF's functions with the same bits everywhere, "purec" those without a choice by the processor, "u35"
// and "u10" those with an error of at most 3.5 and 1.0 units in the last place: the faster where there are two.
double elementary_sin(double x) { return Sleef_cinz_sind1_u35purec(x); }
double elementary_cos(double x) { return Sleef_cinz_cosd1_u35purec(x); }

void elementary_sincos(double x, double *sine, double *cosine) {
  Sleef_double_2 both = Sleef_cinz_sincosd1_u35purec(x);
  *sine = both.x;
  *cosine = both.y;
}

double elementary_tan(double x) { return Sleef_cinz_tand1_u35purec(x); }
double elementary_asin(double x) { return Sleef_cinz_asind1_u35purec(x); }
double elementary_acos(double x) { return Sleef_cinz_acosd1_u35purec(x); }
double elementary_atan(double x) { return Sleef_cinz_atand1_u35purec(x); }
double elementary_atan2(double y, double x) { return Sleef_cinz_atan2d1_u35purec(y, x); }
double elementary_sinh(double x) { return Sleef_cinz_sinhd1_u35purec(x); }
double elementary_cosh(double x) { return Sleef_cinz_coshd1_u35purec(x); }
double elementary_exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
double elementary_expm1(double x) { return Sleef_cinz_expm1d1_u10purec(x); }
double elementary_log(double x) { return Sleef_cinz_logd1_u35purec(x); }
double elementary_log10(double x) { return Sleef_cinz_log10d1_u10purec(x); }
double elementary_pow(double x, double y) { return Sleef_cinz_powd1_u10purec(x, y); }

// ODE calls four of them by their common names. In a program these definitions stand before the C library's; a shared
// library cannot do that for its neighbours, so a scene run by libstagger.so has ODE's own from the C library.
#define SEEN_BY_ODE __attribute__((visibility("default")))
SEEN_BY_ODE double(atan2)(double y, double x) { return elementary_atan2(y, x); }
SEEN_BY_ODE double(asin)(double x) { return elementary_asin(x); }
SEEN_BY_ODE double(acos)(double x) { return elementary_acos(x); }
SEEN_BY_ODE void(sincos)(double x, double *sine, double *cosine) { elementary_sincos(x, sine, cosine); }
