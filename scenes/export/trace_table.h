// Tables of a trace: channels with one row per frame, grouped by what their rows describe. Tables are derived from the
// trace alone, so that new channels are included automatically:
//
//   channel                                table      column         a row of the table is
//   /characters/X/joints/torque [J, 3]     joints     torque         a joint of a character at a time
//   /characters/X/pose/target/rotation     joints     target_rotation
//   /characters/X/GROUP/NAME [N, ...]      GROUP      NAME           one of the N that have names, at a time
//   /characters/X/com/position [3]         character  com_position   a character at a time
//   /objects/X/position [3]                objects    position       an object at a time
//   /objects/X/GROUP/NAME [N, ...]         object_GROUP  NAME
//   /GROUP/NAME [N, ...]                   GROUP      NAME
//   /NAME [3], /GROUP/NAME [3]             world      NAME, GROUP_NAME
//
// Lists (contacts, hits) are in trace_list.h.
#ifndef STAGGER_SCENES_EXPORT_TRACE_TABLE_H
#define STAGGER_SCENES_EXPORT_TRACE_TABLE_H

#include "sim/trace/trace.h"

enum { TRACE_TABLE_PATH_SIZE = 256, TRACE_TABLE_UNIT_SIZE = 32, TRACE_TABLES_MAX = 64 };

typedef struct TraceTableColumn {
  char name[TRACE_TABLE_PATH_SIZE];    // "target_rotation"
  char channel[TRACE_TABLE_PATH_SIZE]; // path relative to the owner: "pose/target/rotation"
  char unit[TRACE_TABLE_UNIT_SIZE];    // "N m"; "" or "-": none
  int width;                           // values in one row
} TraceTableColumn;

// The owner of rows: a character, an object, or none ("").
typedef struct TraceTableOwner {
  char name[TRACE_NAME_SIZE];
  char (*rows)[TRACE_NAME_SIZE]; // [row_count] "thigh_l"; a single "" in tables without names
  int row_count;
} TraceTableOwner;

typedef struct TraceTableChannel {
  char path[TRACE_TABLE_PATH_SIZE];
  TraceType type;
  int owner, column;
  int rows, width;                // in one frame
  char (*names)[TRACE_NAME_SIZE]; // [rows]
  int *row_of;                    // [row_count of the owner] row of the channel, -1: none
  char *values;                   // values of the loaded frames
} TraceTableChannel;

typedef struct TraceTable {
  TraceReader *reader;
  char name[TRACE_NAME_SIZE];
  const char *owner_key;         // "character", "object", or "" without owners
  char row_key[TRACE_NAME_SIZE]; // "joint", or "" without names
  TraceTableColumn *columns;
  TraceTableOwner *owners;
  TraceTableChannel *channels;
  int *channel_at; // [owner_count * column_count], -1: the owner has no such channel
  int column_count, owner_count, channel_count;
} TraceTable;

// Writes the names of the tables of a trace. Returns their number, at most `max`.
int trace_table_list(TraceReader *reader, char (*names)[TRACE_NAME_SIZE], int max);

// character: only its rows, in tables of characters; NULL: all. NULL and an error when there is no such table.
TraceTable *trace_table_open(TraceReader *reader, const char *name, const char *character, Error *error);
void trace_table_close(TraceTable *table); // NULL is fine

// Reads `count` frames, at most TABLE_BLOCK_FRAMES, from `first` on; trace_table_value numbers them from 0.
enum { TABLE_BLOCK_FRAMES = 60 };
bool trace_table_load(TraceTable *table, long first, int count, Error *error);

// The values of a cell, `width` of them, and their type; NULL when the owner or the row has none.
const void *trace_table_value(const TraceTable *table, int frame, int owner, int row, int column, TraceType *type);

size_t trace_type_size(TraceType type); // bytes

#endif
