// Lists of a trace that form a table, one for each column: /contacts/part, /contacts/position ... are the table
// `contacts`. If the group also has the channels `first` and `count`, its rows belong to frames.
#ifndef STAGGER_SCENES_EXPORT_TRACE_LIST_H
#define STAGGER_SCENES_EXPORT_TRACE_LIST_H

#include "scenes/export/trace_table.h"

typedef struct ListColumn {
  char name[TRACE_TABLE_PATH_SIZE], path[TRACE_TABLE_PATH_SIZE];
  char unit[TRACE_TABLE_UNIT_SIZE];
  TraceType type;
  int width;
  char (*names)[TRACE_NAME_SIZE]; // names for the indices in the column; NULL: the values are numbers
  int name_count;
  bool has_owners; // names are "runner/chest": an owner before the slash
  void *values;    // [rows * width]
} ListColumn;

typedef struct TraceList {
  ListColumn *columns; // first the columns that identify a row, then numbers in alphabetical order
  int column_count;
  long rows;  // number of rows that all columns have
  int *frame; // [rows] the row's frame, -1: unknown; NULL: rows do not belong to frames
} TraceList;

// Writes the names of the tables in a trace. Returns their number, at most `max`.
int trace_list_tables(TraceReader *reader, char (*names)[TRACE_NAME_SIZE], int max);

// Reads all rows. NULL and an error when they cannot be read.
TraceList *trace_list_read(TraceReader *reader, const char *name, Error *error);
void trace_list_free(TraceList *list); // NULL is fine

// The column with that name, NULL when there is none.
const ListColumn *trace_list_column(const TraceList *list, const char *name);

// The name for the index in a cell, split at its slash: {"runner", "chest"}, {"", "ball"}, {"", ""} for no name. In
// contacts the index -1 is the ground.
void trace_list_text(const ListColumn *column, long row, char owner[TRACE_NAME_SIZE], char text[TRACE_NAME_SIZE]);

#endif
