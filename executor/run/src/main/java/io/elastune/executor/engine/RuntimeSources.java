package io.elastune.executor.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a node runtime is built from.
 *
 * @param interpreter an archive with a portable interpreter; empty for the one that is shipped
 * @param wheels a folder with the packages; empty for the package index that the user has
 *     configured
 */
public record RuntimeSources(Optional<Interpreter> interpreter, Optional<Path> wheels) {
  /** The shipped interpreter, and the package index that the user has configured. */
  public static final RuntimeSources DEFAULT =
      new RuntimeSources(Optional.empty(), Optional.empty());

  /**
   * An archive of the user, {@code .tar.gz}, {@code .tgz}, {@code .zip} or {@code .jar}.
   *
   * @param sha256 the SHA-256 that the file must have, in hexadecimal digits
   */
  public record Interpreter(Path file, String sha256) {}
}
