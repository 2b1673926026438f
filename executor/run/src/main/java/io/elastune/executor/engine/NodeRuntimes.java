package io.elastune.executor.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The runtimes that an engine can bring to its nodes. */
public interface NodeRuntimes {
  /** Returns all runtimes on this machine; runs use the first one, which was built last. */
  List<NodeRuntime> list();

  /**
   * Builds a runtime. Blocks for up to some minutes.
   *
   * @param progress receives a line for each step
   * @return the new runtime, or an equal one that exists
   * @throws io.elastune.provisioner.CloudException if a source is missing or has another checksum,
   *     if packages are unavailable, or if the result would not run on all images
   */
  NodeRuntime build(RuntimeSources sources, Consumer<String> progress);

  /** Deletes a runtime; empty if there is none of this version. */
  Optional<NodeRuntime> remove(String version);
}
