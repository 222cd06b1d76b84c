// Prints scripts that complete command lines in bash and zsh, from the tables of options.
#include <string.h>

#include "scenes/usage/usage.h"

// ---- bash ----

// What both programs need: the words of each kind. Names of scenes are asked for when they are needed.
static const char BASH_KINDS[] =
    "_stagger_list() { \"${1%-view}\" list 2>/dev/null | sed -nE \"$2\"; }\n"
    "\n"
    "# _stagger_keys PROGRAM: the keys of the scene on the command line.\n"
    "_stagger_keys() {\n"
    "  local i first=2\n"
    "  [ \"$1\" = \"${1%-view}\" ] || first=1\n"
    "  for ((i = first; i < COMP_CWORD; i++)); do\n"
    "    [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i - 1]} == -* ]] && continue\n"
    "    \"${1%-view}\" inspect --keys \"${COMP_WORDS[i]}\" 2>/dev/null | sed -nE 's,^([^ =]+=).*,\\1,p'\n"
    "    return\n"
    "  done\n"
    "}\n"
    "\n"
    "# _stagger_kind PROGRAM KIND WORD: the words of that kind that begin like the word.\n"
    "_stagger_kind() {\n"
    "  case $2 in\n"
    "  SCENE) compgen -W \"$(_stagger_list \"$1\" 's,^([^/ ]*)\\.yaml .*,\\1,p')\" -- \"$3\" ;;\n"
    "  STUDY) compgen -W \"$(_stagger_list \"$1\" 's,^studies/([^/ ]*)\\.yaml .*,\\1,p')\" -- \"$3\" ;;\n"
    "  SKILL) compgen -W \"$(_stagger_list \"$1\" 's,^((skills|planners)/[^/ ]*)\\.yaml .*,\\1,p')\" -- \"$3\" ;;\n"
    "  TOPIC) compgen -W \"$(\"$1\" help 2>/dev/null | sed -nE 's,^  ([a-z_]+) .*,\\1,p')\" -- \"$3\" ;;\n"
    "  KEY=VALUE) compgen -W \"$(_stagger_keys \"$1\")\" -- \"$3\" ;;\n"
    "  CODE) compgen -W \"all $(\"$1\" run --explain all 2>/dev/null | sed -n 's/^## //p')\" -- \"$3\" ;;\n"
    "  esac\n"
    "  case $2 in\n"
    "  SCENE | STUDY | SKILL) compgen -f -X '!*.yaml' -- \"$3\" ;;\n"
    "  DIR) compgen -d -- \"$3\" ;;\n"
    "  FILE) compgen -f -- \"$3\" ;;\n"
    "  *.*) compgen -f -X \"!*.${2##*.}\" -- \"$3\" ;;\n"
    "  [a-z]*) compgen -W \"$2\" -- \"$3\" ;;\n"
    "  esac\n"
    "  case $2 in SCENE | STUDY | SKILL | *.*) compgen -d -S / -- \"$3\" ;; esac\n"
    "}\n";

static const char BASH_END[] = "  if [ -z \"$kinds\" ] && { [[ $word == -* ]] || [ -z \"$argument\" ]; }; then\n"
                               "    kinds=${words// /|}\n"
                               "  fi\n"
                               "  COMPREPLY=()\n"
                               "  IFS='|' read -ra kinds <<<\"${kinds:-$argument}\"\n"
                               "  for kind in \"${kinds[@]}\"; do\n"
                               "    while IFS= read -r found; do\n"
                               "      COMPREPLY+=(\"$found\")\n"
                               "      [[ $found != *[/=] ]] || compopt -o nospace 2>/dev/null\n"
                               "    done < <(if [[ $kind == -* ]]; then compgen -W \"$kind\" -- \"$word\"; else "
                               "_stagger_kind \"$1\" \"$kind\" \"$word\"; fi)\n"
                               "  done\n"
                               "}\n";

// The kind of an option's value: its choices, with '|' between them, or what the table says.
static void write_kind(const UsageOption *option, char *text, size_t size) {
  const char *meaning, *value;
  snprintf(text, size, "%s", option->choice ? "" : option->kind ? option->kind : option->value);
  for (int i = 0; option->choice && (value = option->choice(i, &meaning)) != NULL; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", value);
  }
}

// The function's name: that of the program, with underscores.
static void write_function(const UsageProgram *program, char *text, size_t size) {
  snprintf(text, size, "_%s", program->name);
  for (char *c = text; *c != '\0'; c++)
    *c = *c == '-' ? '_' : *c;
}

static void print_bash_values(const Usage *usage, FILE *out) {
  for (int i = 0; i < usage->option_count; i++) {
    const UsageOption *option = &usage->options[i];
    char kind[256];
    if (!option->name || !option->value)
      continue;
    write_kind(option, kind, sizeof kind);
    fprintf(out, "  \"%s --%s\"", usage_command(usage), option->name);
    if (option->letter)
      fprintf(out, " | \"%s -%c\"", usage_command(usage), option->code);
    fprintf(out, ") kinds='%s' ;;\n", kind);
  }
}

static void print_bash_words(const Usage *usage, FILE *out) {
  fprintf(out, "  '%s') argument='%s' words='", usage_command(usage), usage->argument ? usage->argument : "");
  for (int i = 0, count = 0; i < usage->option_count; i++)
    if (usage->options[i].name)
      fprintf(out, "%s--%s", count++ > 0 ? " " : "", usage->options[i].name);
  fputs("' ;;\n", out);
}

static void print_bash(const UsageProgram *program, FILE *out) {
  char function[64];
  const bool has_commands = usage_command(program->commands[0])[0] != '\0';
  write_function(program, function, sizeof function);
  fprintf(out, "# Completion of %s in bash, made from its tables of options.\n\n%s\n", program->name, BASH_KINDS);
  fprintf(out,
          "%s() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' kind kinds='' found\n"
          "  local argument='' words=''\n"
          "  [ \"$word\" != = ] || word=''                                           # --option=value is three words\n"
          "  [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "%s  case \"$command $before\" in\n",
          function, has_commands ? "  [ \"$COMP_CWORD\" -eq 1 ] || command=${COMP_WORDS[1]}\n" : "");
  for (int i = 0; i < program->command_count; i++)
    print_bash_values(program->commands[i], out);
  fputs("  esac\n  case $command in\n", out);
  if (has_commands) {
    fputs("  '') argument='", out);
    for (int i = 0; i < program->command_count; i++)
      fprintf(out, "%s%s", i > 0 ? "|" : "", usage_command(program->commands[i]));
    fputs("' words='--help --version' ;;\n", out);
  }
  for (int i = 0; i < program->command_count; i++)
    print_bash_words(program->commands[i], out);
  fprintf(out, "  esac\n%s\ncomplete -F %s %s\n", BASH_END, function, program->name);
}

// ---- zsh ----

static const char ZSH_KINDS[] =
    "_stagger_list() { ${_stagger_program%-view} list 2>/dev/null | sed -nE $1 }\n"
    "\n"
    "# _stagger_keys: the keys of the scene on the command line.\n"
    "_stagger_keys() {\n"
    "  local i\n"
    "  for ((i = 2; i < CURRENT; i++)) do\n"
    "    [[ $words[i] == -* || $words[i-1] == -* ]] && continue\n"
    "    ${_stagger_program%-view} inspect --keys $words[i] 2>/dev/null | sed -nE 's,^([^ =]+=).*,\\1,p'\n"
    "    return\n"
    "  done\n"
    "}\n"
    "\n"
    "# _stagger_kinds KINDS: completes what is of one of the kinds.\n"
    "_stagger_kinds() {\n"
    "  local kind\n"
    "  local -a names\n"
    "  for kind in ${(s:|:)1}; do\n"
    "    names=()\n"
    "    case $kind in\n"
    "    SCENE) names=(${(f)\"$(_stagger_list 's,^([^/ ]*)\\.yaml .*,\\1,p')\"}) ;;\n"
    "    STUDY) names=(${(f)\"$(_stagger_list 's,^studies/([^/ ]*)\\.yaml .*,\\1,p')\"}) ;;\n"
    "    SKILL) names=(${(f)\"$(_stagger_list 's,^((skills|planners)/[^/ ]*)\\.yaml .*,\\1,p')\"}) ;;\n"
    "    TOPIC) names=(${(f)\"$($_stagger_program help 2>/dev/null | sed -nE 's,^  ([a-z_]+) .*,\\1,p')\"}) ;;\n"
    "    CODE) names=(all ${(f)\"$($_stagger_program run --explain all 2>/dev/null | sed -n 's/^## //p')\"}) ;;\n"
    "    KEY=VALUE) compadd -S '' -- ${(f)\"$(_stagger_keys)\"} ;;\n"
    "    [a-z]*) names=($kind) ;;\n"
    "    esac\n"
    "    (( $#names )) && compadd -a names\n"
    "    case $kind in\n"
    "    SCENE|STUDY|SKILL) _files -g '*.yaml' ;;\n"
    "    DIR) _files -/ ;;\n"
    "    FILE) _files ;;\n"
    "    *.*) _files -g \"*.${kind##*.}\" ;;\n"
    "    esac\n"
    "  done\n"
    "}\n";

// A sentence within a description of _arguments, which is in quotes and brackets.
static void print_zsh_text(const char *text, FILE *out) {
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fprintf(out, *text == '[' || *text == ']' || *text == ':' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void print_zsh_options(const Usage *usage, FILE *out) {
  fputs("    _arguments", out);
  for (int i = 0; i < usage->option_count; i++) {
    const UsageOption *option = &usage->options[i];
    char kind[256];
    if (!option->name)
      continue;
    fprintf(out, " \\\n      '*--%s%s[", option->name, option->value ? "=" : "");
    print_zsh_text(option->doc, out);
    fputc(']', out);
    if (option->value) {
      write_kind(option, kind, sizeof kind);
      fprintf(out, ":%s: _stagger_kinds \"%s\"", option->choice ? "value" : "VALUE", kind);
    }
    fputc('\'', out);
  }
  if (usage->argument)
    fprintf(out, " \\\n      '*:argument: _stagger_kinds \"%s\"'", usage->argument);
  fputs(" ;;\n", out);
}

static void print_zsh_commands(const UsageProgram *program, FILE *out) {
  fputs("  if (( CURRENT == 2 )); then\n    local -a commands=(\n", out);
  for (int i = 0; i < program->command_count; i++) {
    fprintf(out, "      '%s:", usage_command(program->commands[i]));
    print_zsh_text(program->commands[i]->summary, out);
    fputs("'\n", out);
  }
  fputs("    )\n    _describe command commands\n    return\n  fi\n"
        "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n",
        out);
}

static void print_zsh(const UsageProgram *program, FILE *out) {
  char function[64];
  const bool has_commands = usage_command(program->commands[0])[0] != '\0';
  write_function(program, function, sizeof function);
  fprintf(out, "#compdef %s\n# Completion of %s in zsh, made from its tables of options.\n\n%s\n%s() {\n",
          program->name, program->name, ZSH_KINDS, function);
  fputs("  local _stagger_program=$words[1]\n", out);
  if (has_commands)
    print_zsh_commands(program, out);
  fputs(has_commands ? "  case $command in\n" : "  case '' in\n", out);
  for (int i = 0; i < program->command_count; i++) {
    fprintf(out, "  '%s')\n", usage_command(program->commands[i]));
    print_zsh_options(program->commands[i], out);
  }
  // Loaded by its name as a function's body, or evaluated in a shell that completes already.
  fprintf(out, "  esac\n}\n\nif [ \"$funcstack[1]\" = %s ]; then\n  %s \"$@\"\nelse\n  compdef %s %s\nfi\n", function,
          function, function, program->name);
}

bool usage_complete(const UsageProgram *program, const char *shell, FILE *out) {
  const bool bash = strcmp(shell, "bash") == 0;
  if (bash)
    print_bash(program, out);
  else if (strcmp(shell, "zsh") == 0)
    print_zsh(program, out);
  else
    return false;
  return true;
}
