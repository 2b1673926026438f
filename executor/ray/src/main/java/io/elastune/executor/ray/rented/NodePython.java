package io.elastune.executor.ray.rented;

import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.ray.runtime.RuntimeBucket;
import io.elastune.executor.ray.runtime.RuntimeStore;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The interpreters with Ray on this machine and on instances: the node runtime, except where the
 * settings name another one.
 *
 * @param head the interpreter of this machine
 * @param runtime the runtime that this machine or instances use
 * @param isFetched whether instances fetch it; otherwise their image has an interpreter
 */
record NodePython(String head, Optional<NodeRuntime> runtime, boolean isFetched) {
  private static final Path ALL_USERS = Path.of("/opt/elastune/runtimes");

  /** The command that builds a runtime, for messages. */
  static final String BUILD = "elastune runtime build";

  /**
   * Returns the interpreters.
   *
   * @param recorded the version of the runtime with which the run was started; empty for a new run
   * @throws CloudException if a runtime is needed and missing
   */
  static NodePython find(RentedSettings settings, CloudContext context, Optional<String> recorded) {
    if (settings.headPython().isPresent() && settings.python().isPresent()) {
      return new NodePython(settings.headPython().get(), Optional.empty(), false);
    }
    RuntimeStore store = store(context);
    NodeRuntime runtime =
        recorded
            .map(version -> store.find(version).orElseThrow(() -> lost(version)))
            .or(() -> store.list().stream().findFirst())
            .orElseThrow(() -> missing(store.folders()));
    return new NodePython(
        settings.headPython().orElseGet(() -> RuntimeStore.python(runtime)),
        Optional.of(runtime),
        settings.python().isEmpty());
  }

  /** Returns the runtimes of the user, and those that {@code install.sh} builds for all users. */
  static RuntimeStore store(CloudContext context) {
    return new RuntimeStore(List.of(context.home().resolve("runtimes"), ALL_USERS), context.time());
  }

  /** Returns the runtime that instances fetch. */
  Optional<NodeRuntime> fetched() {
    return runtime.filter(some -> isFetched);
  }

  /**
   * Returns the copy of the fetched runtime in the bucket of the settings; empty without either.
   *
   * @param places the places of the instances
   */
  Optional<RuntimeBucket> bucket(
      CloudContext context, CloudProvider provider, List<String> places) {
    return fetched()
        .flatMap(
            fetched ->
                provider
                    .bucket(context, places)
                    .map(bucket -> new RuntimeBucket(bucket, fetched, context.time())));
  }

  private static CloudException missing(List<Path> folders) {
    return new CloudException(
        new CloudFailure.Invalid(
            "Rented instances need the node runtime, and "
                + folders.stream().map(Path::toString).collect(Collectors.joining(" and "))
                + " contain none. Nothing was rented. Build it once with '"
                + BUILD
                + "'"));
  }

  private static CloudException lost(String version) {
    return new CloudException(
        new CloudFailure.Invalid(
            "The run was started with the node runtime "
                + version
                + ", which was removed. Its instances end by themselves. Build it again with '"
                + BUILD
                + "' and the same sources"));
  }
}
