package io.elastune.simulator;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Where trials that continue start, written from "Trials that continue" in docs/model.md. */
final class ReferenceHomes {
  private ReferenceHomes() {}

  /**
   * Returns the instances on which each trial ran that continues; empty if it does not matter.
   *
   * @param next the number of trials of the next group
   * @param ranOn the instances of each trial of the group
   */
  static List<List<ReferenceLease>> after(
      TrialGroup group,
      int next,
      Offer offer,
      Profile profile,
      IntToDoubleFunction keys,
      Map<Integer, List<ReferenceLease>> ranOn) {
    double rare = profile.instanceStraggler().probability();
    boolean differ =
        profile.instanceCv() > 0
            || (rare > 0 && rare < 1 && profile.instanceStraggler().slowdown() != 1);
    if (!differ || offer.billing().per() == BillingTerms.Per.USE) {
      return List.of();
    }
    List<Integer> trials = new ArrayList<>(ranOn.keySet());
    trials.sort(Comparator.comparingDouble(keys::applyAsDouble));
    return trials.stream().limit(Math.min(next, group.trials())).sorted().map(ranOn::get).toList();
  }

  /**
   * Returns, for each of the {@code trials} of a group in their order, the index of the place where
   * it starts; empty if the places do not have more slots than that.
   *
   * @param places teams that are free at the start of the group, ordered by their lowest numbers
   * @param room slots of a place
   */
  static List<Integer> choose(
      List<List<ReferenceLease>> places, int room, List<List<ReferenceLease>> homes, int trials) {
    if (homes.isEmpty() || places.size() * room <= trials) {
      return List.of();
    }
    List<Integer> chosen = new ArrayList<>(IntStream.range(0, places.size()).boxed().toList());
    chosen.sort(
        Comparator.comparingLong(
            place ->
                -Math.min(
                    room, homes.stream().filter(home -> meet(home, places.get(place))).count())));
    while ((chosen.size() - 1) * room >= trials) {
      chosen.remove(chosen.size() - 1);
    }
    Collections.sort(chosen);
    List<Integer> starts = new ArrayList<>();
    for (List<ReferenceLease> home : homes) {
      for (int place : chosen) {
        if (meet(home, places.get(place)) && Collections.frequency(starts, place) < room) {
          starts.add(place);
          break;
        }
      }
    }
    for (int place : chosen) {
      while (starts.size() < trials && Collections.frequency(starts, place) < room) {
        starts.add(place);
      }
    }
    Collections.sort(starts);
    return starts;
  }

  private static boolean meet(List<ReferenceLease> one, List<ReferenceLease> other) {
    return !Collections.disjoint(one, other);
  }
}
