package io.elastune.provisioner.remote;

import java.util.Optional;

/** A region of a cloud, or one of its zones. */
public interface Place {
  String region();

  Optional<String> zone();

  /** Returns the {@code infra} of offers there. */
  String infra();
}
