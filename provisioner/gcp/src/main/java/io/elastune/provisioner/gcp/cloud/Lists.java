package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.remote.RunLists;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Questions what there is of a run. What we know ourselves is added to Google's list, and "nothing"
 * is believed only when every zone has answered, several times.
 */
final class Lists {
  private final Map<String, Rental> rentals;
  private final RunLists lists = new RunLists();

  Lists(Map<String, Rental> rentals) {
    this.rentals = rentals;
  }

  void add(String run, Consumer<List<InstanceInfo>> answer) {
    lists.add(run, answer);
  }

  /** The runs that somebody asks for. */
  Set<String> runs() {
    return lists.runs();
  }

  /** Answers whoever can be answered, now that Google has shown what there is of {@code runs}. */
  void answer(Set<String> runs, Listing found) {
    lists.answer(
        run -> runs.contains(run) && !undecided(run),
        run -> there(run, found.instances()),
        found.silent().isEmpty());
  }

  private boolean undecided(String run) {
    return of(run).stream().anyMatch(Rental::undecided);
  }

  private List<Rental> of(String run) {
    return rentals.values().stream()
        .filter(rental -> rental.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> there(String run, List<GceInstance> found) {
    Map<String, InstanceInfo> byPath = new TreeMap<>();
    found.stream()
        .filter(instance -> Names.label(run).equals(instance.labels().get(Tags.RUN)))
        .forEach(instance -> byPath.put(instance.path(), info(instance)));
    for (Rental rental : of(run)) {
      rental
          .zone()
          .ifPresent(
              zone -> {
                String path = zone + "/" + rental.name();
                if (!rental.open()) {
                  byPath.remove(path); // said to be no more before: this list is stale
                } else if (rental.instance().isPresent() || rental.in(Rental.Phase.COMING)) {
                  byPath.putIfAbsent(path, info(rental, path));
                }
              });
    }
    return List.copyOf(byPath.values());
  }

  private static InstanceInfo info(Rental rental, String path) {
    return new InstanceInfo(
        path, rental.lease(), rental.instance().map(GceInstance::status).orElse("PROVISIONING"));
  }

  private static InstanceInfo info(GceInstance instance) {
    return new InstanceInfo(
        instance.path(), instance.tag(Tags.LEASE).orElse(""), instance.status());
  }
}
