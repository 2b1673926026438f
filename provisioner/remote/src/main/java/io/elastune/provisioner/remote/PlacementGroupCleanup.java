package io.elastune.provisioner.remote;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the placement groups of a run once it has no instances. Used in the event loop only. */
final class PlacementGroupCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementGroupCleanup.class);

  private final AsyncCaller asyncCaller;
  private final Consumer<String> remove;

  /**
   * Creates the cleanup.
   *
   * @param remove removes all placement groups of a run; called on another thread
   */
  PlacementGroupCleanup(AsyncCaller asyncCaller, Consumer<String> remove) {
    this.asyncCaller = asyncCaller;
    this.remove = remove;
  }

  /**
   * Removes the run's groups if no instance is left, and then calls {@code answer}. The order
   * matters: the caller may end this process after the answer. A group that remains is empty and
   * free.
   *
   * @param requests the requests of all runs
   */
  void removeIfEmpty(
      String run,
      List<InstanceInfo> there,
      Stream<LeaseRequest> requests,
      Consumer<List<InstanceInfo>> answer) {
    boolean grouped = requests.anyMatch(request -> request.near() && request.run().equals(run));
    if (!there.isEmpty() || !grouped) {
      answer.accept(there);
      return;
    }
    asyncCaller.call(
        () -> {
          remove.accept(run);
          return there;
        },
        answer,
        failure -> {
          LOG.warn("Removing an empty placement group failed: {}", failure.message());
          answer.accept(there);
        });
  }
}
