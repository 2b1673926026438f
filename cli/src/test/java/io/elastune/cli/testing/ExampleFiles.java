package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the repository that tests use. */
public final class ExampleFiles {
  /** The root folder of the repository. */
  public static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  /** The worked example in docs/model.md. */
  public static final Path WORKED = REPOSITORY.resolve("configs/examples/worked-example");

  private static final Path REHEARSAL = REPOSITORY.resolve("configs/rehearsal");

  private ExampleFiles() {}

  /** Returns a job of rehearsals, with its profile and its offers, for a file in any folder. */
  public static String rehearsal(String job) throws IOException {
    return rehearsal(job, REHEARSAL.resolve("offers.yaml"));
  }

  /** Returns the same with other offers. */
  public static String rehearsal(String job, Path offers) throws IOException {
    return Files.readString(REHEARSAL.resolve(job))
        .replace(": offers.yaml", ": " + offers)
        .replace("file: profile.yaml", "file: " + REHEARSAL.resolve("profile.yaml"));
  }

  /** Returns the offers of rehearsals. */
  public static String rehearsalOffers() throws IOException {
    return Files.readString(REHEARSAL.resolve("offers.yaml"));
  }
}
