package io.elastune.cli.imports;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * Something of an imported file that has no counterpart in a job file, or that is to be checked.
 *
 * @param line its line; 0 if the file has no lines
 * @param field its path in the file
 * @param reason what it means for the job
 */
public record ImportNote(
    @JsonPropertyDescription("Its line in the imported file; 0 if that has no lines.") int line,
    @JsonPropertyDescription("Its path in the imported file.") String field,
    @JsonPropertyDescription("Why it has no counterpart, or what is to be checked.")
        String reason) {
  /** Returns {@code line 7: command: reason}. */
  String text() {
    return (line > 0 ? "line " + line + ": " : "") + what();
  }

  /** Returns {@code sweep.yaml:7: command: reason}. */
  String text(String file) {
    return file + (line > 0 ? ":" + line : "") + ": " + what();
  }

  private String what() {
    return (field.isEmpty() ? "" : field + ": ") + reason;
  }
}
