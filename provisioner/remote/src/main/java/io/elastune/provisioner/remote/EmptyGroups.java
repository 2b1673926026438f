package io.elastune.provisioner.remote;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what makes instances of a run stand close together, once there are none. Used in the loop
 * only.
 */
public final class EmptyGroups {
  private static final Logger LOG = LoggerFactory.getLogger(EmptyGroups.class);

  private final Asker asker;
  private final Consumer<String> remove;

  /**
   * {@code remove}: asks the cloud to remove all that there is of a run; called in a thread of its
   * own.
   */
  public EmptyGroups(Asker asker, Consumer<String> remove) {
    this.asker = asker;
    this.remove = remove;
  }

  /**
   * When nothing of the run is there any more, its groups go, too, before the answer: whoever has
   * it may end this process. One that stays is empty, and costs nothing.
   *
   * @param requests all that were made, of whatever run
   */
  public void leave(
      String run,
      List<InstanceInfo> there,
      Stream<LeaseRequest> requests,
      Consumer<List<InstanceInfo>> answer) {
    boolean grouped = requests.anyMatch(request -> request.near() && request.run().equals(run));
    if (!there.isEmpty() || !grouped) {
      answer.accept(there);
      return;
    }
    asker.ask(
        () -> {
          remove.accept(run);
          return there;
        },
        answer,
        failure -> {
          LOG.warn("an empty placement group may be left: {}", failure.message());
          answer.accept(there);
        });
  }
}
