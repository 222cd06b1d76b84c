// Lists of a trace that belong together, one a column: /contacts/part, /contacts/position ... are the table `contacts`.
// Where a group also has the channels `first` and `count`, its rows belong to frames.
#ifndef STAGGER_SCENES_EXPORT_TRACE_LIST_H
#define STAGGER_SCENES_EXPORT_TRACE_LIST_H

#include "scenes/export/trace_table.h"

typedef struct ListColumn {
  char name[TRACE_TABLE_PATH_SIZE], path[TRACE_TABLE_PATH_SIZE];
  char unit[TRACE_TABLE_UNIT_SIZE];
  TraceType type;
  int width;
  char (*names)[TRACE_NAME_SIZE]; // what indices stand for; NULL: the values are numbers
  int name_count;
  bool has_owners; // names are "runner/chest": an owner before the slash
  void *values;    // [rows * width]
} ListColumn;

typedef struct TraceList {
  ListColumn *columns; // what a row is about first, then numbers in alphabetical order
  int column_count;
  long rows;  // that all columns have
  int *frame; // [rows] the row's frame, -1: it has none; NULL: rows belong to no frame
} TraceList;

// The tables of lists that a trace has. Returns how many, at most `max`.
int trace_list_tables(TraceReader *reader, char (*names)[TRACE_NAME_SIZE], int max);

// Reads all rows. NULL and an error when they cannot be read.
TraceList *trace_list_read(TraceReader *reader, const char *name, Error *error);
void trace_list_free(TraceList *list); // NULL is fine

// The column of that name, NULL when there is none.
const ListColumn *trace_list_column(const TraceList *list, const char *name);

// What the index in a cell stands for, split at its slash: {"runner", "chest"}, {"", "ball"}, {"", ""} for none.
// Contacts with index -1 are with the ground.
void trace_list_text(const ListColumn *column, long row, char owner[TRACE_NAME_SIZE], char text[TRACE_NAME_SIZE]);

#endif
