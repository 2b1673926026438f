package io.elastune.cli.testing;

import java.nio.file.Path;

/** The repository's own files that tests use. */
public final class Examples {
  /** The repository. */
  public static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  /** The worked example of the model. */
  public static final Path WORKED = REPOSITORY.resolve("configs/examples/worked-example");

  private Examples() {}
}
