package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import io.elastune.provisioner.remote.EmptyListConfirmation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Answers requests for the instances of a run. EC2's list is eventually consistent: instances known
 * to this process are added, and an empty answer needs several empty lists in a row.
 */
final class RunInstanceLister {
  private final Map<String, TrackedLease> trackedLeases;
  private final EmptyListConfirmation lists = new EmptyListConfirmation();

  RunInstanceLister(Map<String, TrackedLease> trackedLeases) {
    this.trackedLeases = trackedLeases;
  }

  void add(String run, Consumer<List<InstanceInfo>> answer) {
    lists.addRequest(run, answer);
  }

  /** Returns the runs with open requests. */
  Set<String> runs() {
    return lists.runs();
  }

  /** Answers the requests that can be answered after EC2 has listed {@code runs}. */
  void answer(Set<String> runs, List<Ec2Instance> found) {
    lists.answer(run -> runs.contains(run) && !undecided(run), run -> there(run, found), true);
  }

  private boolean undecided(String run) {
    return of(run).stream().anyMatch(TrackedLease::isUndecided);
  }

  private List<TrackedLease> of(String run) {
    return trackedLeases.values().stream()
        .filter(trackedLease -> trackedLease.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> there(String run, List<Ec2Instance> found) {
    Map<String, InstanceInfo> byId = new TreeMap<>();
    found.stream()
        .filter(instance -> instance.run().filter(run::equals).isPresent())
        .filter(instance -> instance.state() != InstanceState.TERMINATED)
        .forEach(instance -> byId.put(instance.id(), info(instance)));
    for (TrackedLease trackedLease : of(run)) {
      trackedLease
          .instance()
          .ifPresent(
              instance -> {
                if (trackedLease.isOpen()) {
                  byId.put(instance.id(), info(instance));
                } else {
                  byId.remove(instance.id()); // already confirmed as terminated: this list is stale
                }
              });
    }
    return List.copyOf(byId.values());
  }

  private static InstanceInfo info(Ec2Instance instance) {
    return new InstanceInfo(instance.id(), instance.lease().orElse(""), instance.state().ec2Name());
  }
}
