package io.elastune.cli.supply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * States why a known vulnerability does not concern Elastune, and until when that was checked.
 *
 * @param id the vulnerability
 * @param component the name of the component
 * @param until the last day on which the waiver holds
 */
record Waiver(String id, String component, LocalDate until, String reason) {
  private static final int FIELDS = 4;

  /** Reads lines with tabs: vulnerability, component, last day, reason. */
  static List<Waiver> read(Path file) throws IOException {
    List<Waiver> waivers = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.split("\t", -1);
      try {
        if (fields.length != FIELDS || fields[3].isBlank()) {
          throw new DateTimeParseException("four fields", line, 0);
        }
        waivers.add(new Waiver(fields[0], fields[1], LocalDate.parse(fields[2]), fields[3]));
      } catch (DateTimeParseException e) {
        throw new IOException(
            file + ":" + number + ": must be ID, component, YYYY-MM-DD and reason, with tabs", e);
      }
    }
    return waivers;
  }

  boolean isFor(Advisory advisory, Component vulnerable) {
    return advisory.isNamed(id) && vulnerable.name().equals(component);
  }
}
