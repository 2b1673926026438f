package io.elastune.simulator;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A lease of the {@link ReferenceSimulator}. It records all events and computes the cost at the
 * end.
 */
final class ReferenceLease {
  private record Use(String group, double fromS, double toS, double part) {}

  final int number;
  final double runningS;
  final double readyS;
  final double y;
  double releasedS = Double.NaN;

  /** The hazard that is left until it is lost, and its faults without effect. */
  double hazard = Double.POSITIVE_INFINITY;

  int faults;

  /** Since when it can be in another place of the present group. */
  double freeSinceS;

  /** Queue and boot seconds of the instances after its failed boot; empty if it does not fail. */
  List<double[]> afterFailedBoots = List.of();

  String releaser = "";
  final Offer offer;
  private final Chain chain;
  final String requester;
  private final List<Use> uses = new ArrayList<>();
  private double lastEndS;

  ReferenceLease(
      int number,
      Chain chain,
      Offer offer,
      String requester,
      double runningS,
      double readyS,
      double y) {
    this.number = number;
    this.chain = chain;
    this.offer = offer;
    this.requester = requester;
    this.runningS = runningS;
    this.readyS = readyS;
    this.y = y;
  }

  void enter(double groupStartS) {
    lastEndS = groupStartS;
    freeSinceS = Math.max(groupStartS, readyS);
  }

  void train(String group, double fromS, double toS, double part) {
    uses.add(new Use(group, fromS, toS, part));
    lastEndS = Math.max(lastEndS, toS);
  }

  /** Returns the end of its last trial, or the group's start. */
  double lastEndS() {
    return lastEndS;
  }

  /** Returns whether it fails at the end of its boot. */
  boolean failsAtReady() {
    return !afterFailedBoots.isEmpty();
  }

  private boolean ran() {
    return releasedS > runningS;
  }

  private boolean perUse() {
    return offer.billing().per() == BillingTerms.Per.USE;
  }

  private double unionS(List<Use> some) {
    List<Use> sorted = new ArrayList<>(some);
    sorted.sort(Comparator.comparingDouble(Use::fromS));
    double sum = 0;
    double until = Double.NEGATIVE_INFINITY;
    for (Use use : sorted) {
      sum += Math.max(0, use.toS() - Math.max(use.fromS(), until));
      until = Math.max(until, use.toS());
    }
    return sum;
  }

  private double billedS() {
    if (!ran()) {
      return 0;
    }
    double seconds = perUse() ? unionS(uses) : releasedS - runningS;
    double granule = offer.billing().granularityS();
    return Math.max(offer.billing().minimumS(), granule * Math.ceil(seconds / granule - 0.000001));
  }

  double instanceUsd() {
    return billedS() * offer.usdPerHour() / 3600;
  }

  double provisioningUsd() {
    return ran() && !perUse() ? bootS() * offer.usdPerHour() / 3600 : 0;
  }

  double computeUsd() {
    if (!ran()) {
      return 0;
    }
    double seconds =
        perUse()
            ? unionS(uses)
            : uses.stream().mapToDouble(use -> (use.toS() - use.fromS()) * use.part()).sum();
    return seconds * offer.usdPerHour() / 3600;
  }

  /** Returns the price of the GPU time in which trials ran. */
  double gpuTimeUsd() {
    double seconds = uses.stream().mapToDouble(use -> (use.toS() - use.fromS()) * use.part()).sum();
    return seconds * offer.usdPerHour() / 3600;
  }

  /** Returns the cost of the fraction of an increment that a bill may ignore. */
  double letOffUsd() {
    return offer.billing().granularityS() * 1e-6 * offer.usdPerHour() / 3600;
  }

  double dataUsd() {
    return offer.dataInUsd();
  }

  double otherUsd() {
    return ran()
        ? offer.billing().perUseUsd() + (releasedS - runningS) * offer.diskUsdPerHour() / 3600
        : 0;
  }

  double totalUsd() {
    return instanceUsd() + dataUsd() + otherUsd();
  }

  private double bootS() {
    return ran() ? Math.min(readyS, releasedS) - runningS : 0;
  }

  /** Returns the cost of a group that lasts from {@code startS} to {@code endS}. */
  double usdIn(String group, double startS, double endS) {
    if (chain.groups().stream().noneMatch(own -> own.name().equals(group))) {
      return 0;
    }
    double from = Math.max(startS, readyS);
    double ready = Math.max(0, Math.min(endS, releasedS) - from);
    double disk = ready * offer.diskUsdPerHour() / 3600;
    double usd = disk + secondsIn(group, ready) * offer.usdPerHour() / 3600;
    if (group.equals(requester)) {
      usd += dataUsd() + provisioningUsd() + bootS() * offer.diskUsdPerHour() / 3600;
      usd += ran() ? offer.billing().perUseUsd() : 0;
    }
    if (group.equals(releaser)) {
      double counted = perUse() ? unionS(uses) : ran() ? releasedS - runningS : 0;
      usd += (billedS() - counted) * offer.usdPerHour() / 3600;
    }
    return usd;
  }

  private double secondsIn(String group, double readyForS) {
    return perUse()
        ? unionS(uses.stream().filter(use -> use.group().equals(group)).toList())
        : readyForS;
  }
}
