package io.elastune.cli.execute;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.random.RandomGenerator;

/** Generates the ids of runs: {@code <name>-<yyyymmdd>-<4 characters>}. */
final class RunIdGenerator {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);

  /** No vowels, so that no words appear, and no characters that are easily confused. */
  private static final String LETTERS = "bcdfghjkmnpqrstvwxz23456789";

  private static final int LENGTH = 4;

  private final Path home;
  private final RandomGenerator random = new SecureRandom();

  RunIdGenerator(Path home) {
    this.home = home;
  }

  /** Returns an id that no run under this home has. */
  String nextId(String job, Instant now) {
    while (true) {
      StringBuilder id = new StringBuilder(job + "-" + DAY.format(now) + "-");
      for (int i = 0; i < LENGTH; i++) {
        id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      if (!Files.exists(home.resolve("runs").resolve(id.toString()))) {
        return id.toString();
      }
    }
  }
}
