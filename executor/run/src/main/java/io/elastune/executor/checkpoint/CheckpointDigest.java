package io.elastune.executor.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The digest of a checkpoint: the SHA-256 of its manifest, which has the checksums of its files.
 * The journal has it as the trial left the checkpoint, so a complete checkpoint that something else
 * has put in its place is found.
 */
public final class CheckpointDigest {
  private CheckpointDigest() {}

  /** Returns the digest of the checkpoint in a folder; empty if its manifest cannot be read. */
  public static Optional<String> of(Path folder) {
    if (!CheckpointManifest.exists(folder)) {
      return Optional.empty();
    }
    try {
      return Optional.of(FileChecksum.of(CheckpointManifest.file(folder)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the folder has a checkpoint with another digest than the journal. */
  public static boolean isReplaced(Path folder, String digest) {
    return of(folder).filter(found -> !found.equals(digest)).isPresent();
  }
}
