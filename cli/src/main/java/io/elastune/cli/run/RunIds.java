package io.elastune.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.random.RandomGenerator;

/** Names of runs: {@code <name>-<yyyymmdd>-<4 characters>}. */
final class RunIds {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);

  /** Without vowels, so that no words come out, and without what is easily mistaken. */
  private static final String LETTERS = "bcdfghjkmnpqrstvwxz23456789";

  private static final int LENGTH = 4;

  private final Path home;
  private final RandomGenerator random = new SecureRandom();

  RunIds(Path home) {
    this.home = home;
  }

  /** A name that no run below this home has. */
  String next(String job, Instant now) {
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
