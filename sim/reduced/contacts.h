// Contacts of the reduced-coordinate step: the result of ODE's collision detection as rows, one normal and two friction
// rows each, with ODE's meaning of all numbers (dContactApprox1 friction, soft ERP and CFM, surface motion along
// fdir1).
#ifndef STAGGER_SIM_REDUCED_CONTACTS_H
#define STAGGER_SIM_REDUCED_CONTACTS_H

#include "sim/reduced/rows.h"

typedef struct ReducedContact {
  int body, other; // forest bodies, -1: not moved by forces
  dBodyID moving;  // a kinematic body instead of `other` or `body`; NULL: the world
  double sign;     // the product of this and the normal points toward `body`
  dContact ode;
  dJointFeedback *feedback; // f1: the force on the first body as given, N; the rest stays 0
  double directions[3][3];  // normal, and two perpendicular to it
  int row;                  // index of the first of three
  double target[3];         // m/s, for the rows, without the contribution of the bodies' bias acceleration
} ReducedContact;

// A contact of the last step, whose impulse is the initial guess for a new contact near it.
typedef struct PastContact {
  int body, other;
  int next; // the next one of the same body, -1: none
  double position[3], impulse[3];
  RowState state[3];
  double smooth_impulse; // of the normal row, see Row
  RowState smooth_state;
} PastContact;

typedef struct Contacts {
  ReducedContact *contacts;
  PastContact *past;
  int *first_past; // for each forest body, -1: none
  int count, past_count, capacity, past_capacity, body_capacity;
} Contacts;

void contacts_free(Contacts *contacts);

// Adds rows for all contacts. world: for its ERP, CFM and limits of correction. h: length of the step, s.
void contacts_add_rows(Contacts *contacts, Rows *rows, const Forest *forest, dWorldID world, double h);

// Sets the rows' targets for the bodies' present bias acceleration: contacts constrain the mean velocity of the step.
void contacts_aim(const Contacts *contacts, Rows *rows, const Forest *forest, double h);

// Writes the feedbacks, stores the impulses for the next step, and removes the contacts.
void contacts_tell(Contacts *contacts, const Rows *rows, const Forest *forest, double h);

#endif
