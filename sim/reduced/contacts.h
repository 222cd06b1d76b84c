// Contacts of the reduced-coordinate step: what ODE's collision found, as rows: a normal one and two of friction each,
// with ODE's meaning of all numbers (dContactApprox1 friction, soft ERP and CFM, surface motion along fdir1).
#ifndef STAGGER_SIM_REDUCED_CONTACTS_H
#define STAGGER_SIM_REDUCED_CONTACTS_H

#include "sim/reduced/rows.h"

typedef struct ReducedContact {
  int body, other; // forest bodies, -1: none that forces move
  dBodyID moving;  // a kinematic body instead of `other` or `body`; NULL: the world
  double sign;     // the normal times this points toward `body`
  dContact ode;
  dJointFeedback *feedback; // of a joint between first and second body as given
  double directions[3][3];  // normal, and two across
  int row;                  // the first of three
  double target[3];         // m/s, of the rows before what the bodies' bias_acceleration adds
} ReducedContact;

// A contact of the last step: where a new one near it begins to look for its impulse.
typedef struct PastContact {
  int body, other;
  int next; // of the same body, -1: none
  double position[3], impulse[3];
  RowState state[3];
  double smooth_impulse; // of the normal row, see Row
  RowState smooth_state;
} PastContact;

typedef struct Contacts {
  ReducedContact *contacts;
  PastContact *past;
  int *first_past; // of each forest body, -1: none
  int count, past_count, capacity, past_capacity, body_capacity;
} Contacts;

void contacts_free(Contacts *contacts);

// Rows for all of them; world: for its ERP, CFM and bounds of correction. h: of the step, s.
void contacts_add_rows(Contacts *contacts, Rows *rows, const Forest *forest, dWorldID world, double h);

// Targets of the rows at the bodies' present bias_acceleration: contacts bind the mean velocity of the step.
void contacts_aim(const Contacts *contacts, Rows *rows, const Forest *forest, double h);

// Tells the feedbacks, remembers the impulses for the next step, and forgets the contacts.
void contacts_tell(Contacts *contacts, const Rows *rows, const Forest *forest, double h);

#endif
