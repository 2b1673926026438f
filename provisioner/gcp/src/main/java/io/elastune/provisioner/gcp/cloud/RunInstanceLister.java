package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InstanceListing;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.remote.EmptyListConfirmation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Answers requests to list the instances of a run. Adds instances that Google does not list yet to
 * Google's list. Reports an empty list only after every zone has responded several times.
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

  /** Returns the runs with pending list requests. */
  Set<String> runs() {
    return lists.runs();
  }

  /** Answers the pending requests that can be answered from Google's list of {@code runs}. */
  void answer(Set<String> runs, InstanceListing found) {
    lists.answer(
        run -> runs.contains(run) && !undecided(run),
        run -> instances(run, found.instances()),
        found.unreachableZones().isEmpty());
  }

  private boolean undecided(String run) {
    return leasesOf(run).stream().anyMatch(TrackedLease::isUndecided);
  }

  private List<TrackedLease> leasesOf(String run) {
    return trackedLeases.values().stream()
        .filter(trackedLease -> trackedLease.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> instances(String run, List<GceInstance> found) {
    Map<String, InstanceInfo> byPath = new TreeMap<>();
    found.stream()
        .filter(instance -> ResourceNames.labelValue(run).equals(instance.labels().get(Tags.RUN)))
        .forEach(instance -> byPath.put(instance.path(), info(instance)));
    for (TrackedLease trackedLease : leasesOf(run)) {
      trackedLease
          .zone()
          .ifPresent(
              zone -> {
                String path = zone + "/" + trackedLease.name();
                if (!trackedLease.isOpen()) {
                  byPath.remove(path); // already confirmed as deleted: this list is stale
                } else if (trackedLease.instance().isPresent()
                    || trackedLease.in(TrackedLease.Phase.CREATING)) {
                  byPath.putIfAbsent(path, info(trackedLease, path));
                }
              });
    }
    return List.copyOf(byPath.values());
  }

  private static InstanceInfo info(TrackedLease trackedLease, String path) {
    return new InstanceInfo(
        path,
        trackedLease.lease(),
        trackedLease.instance().map(GceInstance::status).orElse("PROVISIONING"));
  }

  private static InstanceInfo info(GceInstance instance) {
    return new InstanceInfo(
        instance.path(), instance.tag(Tags.LEASE).orElse(""), instance.status());
  }
}
