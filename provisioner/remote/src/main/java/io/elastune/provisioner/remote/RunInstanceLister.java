package io.elastune.provisioner.remote;

import io.elastune.provisioner.InstanceInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Answers requests for the instances of a run. The cloud's list may lag: instances known to this
 * process are added, and an empty answer needs several complete, empty lists in a row. Used in the
 * event loop only.
 */
final class RunInstanceLister {
  private final Map<String, TrackedLease> leases;
  private final EmptyListConfirmation lists = new EmptyListConfirmation();

  RunInstanceLister(Map<String, TrackedLease> leases) {
    this.leases = leases;
  }

  void add(String run, Consumer<List<InstanceInfo>> answer) {
    lists.addRequest(run, answer);
  }

  /** Returns the runs with open requests. */
  Set<String> runs() {
    return lists.runs();
  }

  /** Answers the requests that can be answered after the cloud has listed {@code runs}. */
  void answer(Set<String> runs, InstanceList found) {
    lists.answer(
        run -> runs.contains(run) && leasesOf(run).stream().noneMatch(TrackedLease::isUndecided),
        run -> instances(run, found.instances()),
        found.unreachableZones().isEmpty());
  }

  private List<TrackedLease> leasesOf(String run) {
    return leases.values().stream()
        .filter(lease -> lease.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> instances(String run, List<RemoteInstance> found) {
    Map<String, InstanceInfo> byId = new TreeMap<>();
    found.stream()
        .filter(instance -> instance.run().filter(run::equals).isPresent())
        .filter(instance -> instance.stage() != InstanceStage.TERMINATED)
        .forEach(
            instance ->
                byId.put(
                    instance.id(),
                    new InstanceInfo(
                        instance.id(), instance.lease().orElse(""), instance.status())));
    for (TrackedLease lease : leasesOf(run)) {
      lease.instanceId().ifPresent(id -> correct(byId, lease, id));
    }
    return List.copyOf(byId.values());
  }

  private static void correct(Map<String, InstanceInfo> byId, TrackedLease lease, String id) {
    if (!lease.isOpen()) {
      byId.remove(id); // already confirmed as terminated: this list is stale
    } else {
      String status = lease.instance().map(RemoteInstance::status).orElse("being created");
      byId.put(id, new InstanceInfo(id, lease.id(), status));
    }
  }
}
