package io.elastune.cli.wiring;

import io.elastune.core.plan.Plan;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Provisioning;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which numbers behind a prediction were not measured here: how long instances take to come. */
public final class Assumed {
  private final Set<String> measured;

  /** By what {@code profiles} say was measured. */
  public Assumed(Collection<Profile> profiles) {
    measured =
        profiles.stream()
            .flatMap(profile -> profile.provisioning().stream())
            .map(Provisioning::offer)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether an offer's queueing and boot times are assumed. */
  public boolean isAssumed(String offer) {
    return !measured.contains(offer);
  }

  /** The offers of {@code plan} whose times are assumed, by name. */
  public List<String> offers(Plan plan) {
    Set<String> offers = new TreeSet<>();
    plan.allocations().values().forEach(allocation -> offers.add(allocation.offer()));
    return offers.stream().filter(this::isAssumed).toList();
  }

  /** Names of the numbers, e.g. {@code queue_s aws/us-east-1/p3.8xlarge/on-demand}. */
  public List<String> names(Plan plan) {
    return offers(plan).stream()
        .flatMap(offer -> Stream.of("queue_s " + offer, "boot_s " + offer))
        .toList();
  }
}
