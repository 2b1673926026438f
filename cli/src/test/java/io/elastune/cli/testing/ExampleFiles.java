package io.elastune.cli.testing;

import java.nio.file.Path;

/** Files of the repository that tests use. */
public final class ExampleFiles {
  /** The root folder of the repository. */
  public static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  /** The worked example in docs/model.md. */
  public static final Path WORKED = REPOSITORY.resolve("configs/examples/worked-example");

  private ExampleFiles() {}
}
