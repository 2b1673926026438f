package io.elastune.inputs;

import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.profiler.CombinedProfile;
import io.elastune.profiler.History;
import io.elastune.profiler.ShippedSpreads;
import io.elastune.profiler.SpeedChange;
import io.elastune.profiler.history.HistoryException;
import io.elastune.profiler.history.ProgramEvidence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Combines stored profiles with the history of their programs, and notes what that changes. */
final class LearnedProfiles {
  private final History history;
  private final Job job;
  private final List<Offer> offers;
  private final Path workdir;
  private final Instant now;
  private final List<String> remarks = new ArrayList<>();

  LearnedProfiles(
      InputEnvironment environment, Job job, List<Offer> offers, Path workdir, Instant now) {
    this.history = new History(environment.home(), environment.clock());
    this.job = job;
    this.offers = List.copyOf(offers);
    this.workdir = workdir;
    this.now = now;
  }

  /**
   * Returns the combination of a stored profile with runs that are not older than the job allows.
   */
  Profile combined(Profile stored) {
    List<ProgramEvidence> evidence;
    try {
      evidence = history.evidence(job, workdir, stored.gpu());
    } catch (HistoryException e) {
      remarks.add("the history of earlier runs is not used: " + e.getMessage());
      return stored;
    }
    Instant oldest = now.minus(job.profile().reuse());
    CombinedProfile combined =
        CombinedProfile.of(
            stored, evidence.stream().filter(one -> !one.ended().isBefore(oldest)).toList());
    note(stored, combined);
    return provisioned(withShippedSpreads(combined.profile()));
  }

  /** Instances of one machine do not differ as rented ones do. */
  private Profile withShippedSpreads(Profile profile) {
    boolean rented =
        offers.stream()
            .anyMatch(
                offer -> offer.gpu().equals(profile.gpu()) && offer.price() == PriceKind.LIST);
    if (!rented) {
      return profile;
    }
    List<String> assumed = ShippedSpreads.assumed(profile);
    if (!assumed.isEmpty()) {
      remarks.add(
          "the spread of "
              + String.join(", ", assumed)
              + " on "
              + profile.gpu()
              + " is assumed: it was not measured");
    }
    return ShippedSpreads.combined(profile);
  }

  /** Queueing and boot times of all leases, at this hour, replace those of the program's own. */
  private Profile provisioned(Profile profile) {
    Map<String, ProvisioningTimes> byOffer = new LinkedHashMap<>();
    profile.provisioning().forEach(times -> byOffer.put(times.offer(), times));
    List<Offer> ofModel =
        offers.stream().filter(offer -> offer.gpu().equals(profile.gpu())).toList();
    int own = 0;
    int others = 0;
    for (History.Provisioning past :
        history.provisioning(
            job, ofModel, Map.copyOf(byOffer), now, AssumedNumbers.shippedSetup(job))) {
      ProvisioningTimes known = byOffer.put(past.times().offer(), past.times());
      if (known == null || known.samples() < past.times().samples()) {
        own += past.times().samples();
        others += past.times().isMeasured() ? 0 : past.others();
      }
    }
    noteLeases(profile.gpu(), own, others);
    return profile.withProvisioning(List.copyOf(byOffer.values()));
  }

  private void noteLeases(String gpu, int own, int others) {
    List<String> parts = new ArrayList<>();
    if (own > 0) {
      parts.add(own == 1 ? "1 lease" : own + " leases");
    }
    if (others > 0) {
      parts.add(others + (others == 1 ? " lease" : " leases") + " in other places");
    }
    if (!parts.isEmpty()) {
      remarks.add(
          Inputs.LEARNED_PROVISIONING
              + gpu
              + " at this hour are those of "
              + String.join(" and ", parts)
              + " from the history");
    }
  }

  /** Returns the notes about all profiles combined so far. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  private void note(Profile stored, CombinedProfile combined) {
    if (combined.runs() > 0) {
      String runs = combined.runs() == 1 ? "1 run" : combined.runs() + " runs";
      remarks.add(
          (combined.storedCounts()
                  ? "the profile of "
                      + stored.gpu()
                      + " combines "
                      + stored.measured().source()
                      + " with "
                      + runs
                      + " of this program"
                  : "the profile of "
                      + stored.gpu()
                      + " has the speed of "
                      + runs
                      + " of this program")
              + " from the history");
    }
    combined.change().ifPresent(change -> remarks.add(change(change)));
    combined.unconfirmed().ifPresent(change -> remarks.add(unconfirmed(change)));
  }

  private static String change(SpeedChange change) {
    String dropped = change.dropped() == 1 ? "1 measurement" : change.dropped() + " measurements";
    return "training is "
        + difference(change)
        + " since "
        + change.run()
        + ", "
        + (change.otherCode()
            ? "after a change of its code"
            : "with the same code: its data or its" + " machines may have changed")
        + "; "
        + dropped
        + " before it "
        + (change.dropped() == 1 ? "does" : "do")
        + " not count";
  }

  private static String unconfirmed(SpeedChange change) {
    return "the last run "
        + change.run()
        + " was "
        + difference(change)
        + " than those before it, with the same code; if the next one is too, its data or its"
        + " machines have changed";
  }

  private static String difference(SpeedChange change) {
    boolean slower = change.ratio() > 1;
    double percent = 100 * (slower ? change.ratio() - 1 : 1 - change.ratio());
    return String.format(Locale.ROOT, "%.0f%% %s", percent, slower ? "slower" : "faster");
  }
}
