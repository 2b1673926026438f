package io.elastune.planner.model;

import io.elastune.core.IntRange;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * All offers that may be rented, and every legal size on them.
 *
 * @param offerChoices offers that can hold a trial, in the order of their names; of offers that
 *     differ only in price the cheapest, unless its instances fail more often
 * @param trialShapes every size of every offer that is legal, measured and allowed
 * @param refusals one sentence for each offer that can hold no trial
 * @param waitingShare the part of the trials of a later group whose programs may have waited for
 *     it; 0 if programs do not wait
 */
public record ChoiceSet(
    List<OfferChoice> offerChoices,
    List<TrialShape> trialShapes,
    List<String> refusals,
    double waitingShare) {
  public ChoiceSet {
    offerChoices = List.copyOf(offerChoices);
    trialShapes = List.copyOf(trialShapes);
    refusals = List.copyOf(refusals);
  }

  /** Returns the choices without offers that another one makes pointless. */
  public static ChoiceSet of(Problem problem) {
    return of(problem, Map.of());
  }

  /**
   * Returns the choices for a run with a plan.
   *
   * @param used names of the offers of its plan, which remain choices even if others are cheaper
   */
  public static ChoiceSet of(Problem problem, Set<String> used) {
    return of(problem, used.stream().collect(Collectors.toMap(name -> name, name -> 0)));
  }

  /**
   * Returns the choices for a run that holds instances.
   *
   * @param held by the offers of its plan, which remain choices even if others are cheaper: the
   *     instances that are held, which may be kept after a rise of the price
   */
  public static ChoiceSet of(Problem problem, Map<String, Integer> held) {
    List<OfferChoice> offerChoices = new ArrayList<>();
    List<TrialShape> trialShapes = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    List<Offer> offers = new ArrayList<>(problem.offers());
    offers.sort(Comparator.comparing(Offer::name));
    for (Offer offer : offers) {
      Optional<Profile> profile = problem.profile(offer);
      int most = Math.max(mostInstances(problem, offer), held.getOrDefault(offer.name(), 0));
      if (profile.isEmpty()) {
        refusals.add(
            offer.name() + ": the profile has no measurements for " + offer.gpu() + " GPUs");
      } else if (most < 1) {
        refusals.add(offer.name() + ": " + noRoom(problem, offer));
      } else if (held.containsKey(offer.name()) || !dominated(problem, offer, offers)) {
        OfferChoice offerChoice = new OfferChoice(offerChoices.size(), offer, profile.get(), most);
        List<TrialShape> legal = legalSizes(problem, offerChoice, trialShapes.size());
        if (legal.isEmpty()) {
          refusals.add(offer.name() + ": " + noSize(problem, offerChoice));
        } else {
          offerChoices.add(offerChoice);
          trialShapes.addAll(legal);
        }
      }
    }
    return new ChoiceSet(offerChoices, trialShapes, refusals, waitingShare(problem));
  }

  /** New trials replace some of a population at each barrier. */
  private static double waitingShare(Problem problem) {
    int trials = problem.workload().groups().get(0).trials();
    double replaced =
        problem.workload().population().map(rule -> (double) rule.replaced(trials)).orElse(0.0);
    return problem.keepAlive() ? 1 - replaced / trials : 0;
  }

  /** Whether the programs of trials wait for the next group of their trial. */
  public boolean keepAlive() {
    return waitingShare > 0;
  }

  /** Returns the GPUs per trial, ascending, of trials that use a part of one instance. */
  public List<Integer> sizes(OfferChoice offer) {
    return trialShapes.stream()
        .filter(shape -> shape.offerChoice().equals(offer) && shape.trialsPerGpu() == 1)
        .map(TrialShape::gpusPerTrial)
        .filter(gpus -> gpus <= offer.offer().gpus())
        .sorted()
        .toList();
  }

  /**
   * The most instances of an offer that one chain may hold: every other chain needs at least one at
   * the same time.
   */
  private static int mostInstances(Problem problem, Offer offer) {
    int others = problem.workload().chains().size() - 1;
    double payable = Math.floor(problem.limits().maxUsdPerHour() / offer.usdPerHour() + 1e-9);
    double most = Math.min(problem.limits().maxInstances() - others, payable);
    for (Quota quota : problem.limits().quotas()) {
      most = Math.min(most, quota.maxInstances(offer.name()));
    }
    return (int) most;
  }

  private static String noRoom(Problem problem, Offer offer) {
    for (Quota quota : problem.limits().quotas()) {
      if (quota.maxInstances(offer.name()) < 1) {
        return (quota.isMemory() ? "the workers of one instance need " : "one instance uses ")
            + quota.amount(quota.unitsPerInstance(offer.name()))
            + ", more than "
            + quota;
      }
    }
    return problem.limits().maxInstances() < problem.workload().chains().size()
        ? "max_instances "
            + problem.limits().maxInstances()
            + " is too few: "
            + problem.workload().chains().size()
            + " chains run concurrently, each on at least one instance of its own"
        : "one instance costs "
            + offer.usdPerHour()
            + " USD/h, more than max_hourly_usd "
            + problem.limits().maxUsdPerHour();
  }

  private static String noSize(Problem problem, OfferChoice offerChoice) {
    Offer offer = offerChoice.offer();
    long most = (long) offerChoice.maxInstances() * offer.gpus();
    boolean legal =
        LongStream.rangeClosed(
                problem.gpusPerTrial().low(), Math.min(most, problem.gpusPerTrial().high()))
            .anyMatch(size -> offer.isLegalSize((int) size));
    return "no size of "
        + problem.gpusPerTrial()
        + " GPUs per trial is "
        + (legal
            ? "both measured (" + offerChoice.profile().secondsByGpus().keySet() + ") and "
            : "")
        + "legal on at most "
        + offerChoice.maxInstances()
        + " instances of "
        + offer.gpus()
        + " GPUs";
  }

  /**
   * Whether another offer is the same except for its location and a lower price, no quota prevents
   * its use, and its instances fail no more often.
   */
  private static boolean dominated(Problem problem, Offer offer, List<Offer> offers) {
    return offers.stream()
        .anyMatch(
            other ->
                differOnlyInPrice(offer, other)
                    && problem.limits().quotas().stream()
                        .allMatch(
                            quota ->
                                quota.unitsPerInstance(other.name())
                                    <= quota.unitsPerInstance(offer.name()))
                    && (other.usdPerHour() < offer.usdPerHour()
                        || (other.usdPerHour() == offer.usdPerHour()
                            && other.name().compareTo(offer.name()) < 0)));
  }

  private static boolean differOnlyInPrice(Offer offer, Offer other) {
    return other.faults().isAtMost(offer.faults())
        && offer.gpu().equals(other.gpu())
        && offer.gpus() == other.gpus()
        && offer.billing().equals(other.billing())
        && offer.queueS().equals(other.queueS())
        && offer.bootS().equals(other.bootS())
        && offer.dataInUsd() == other.dataInUsd()
        && offer.diskUsdPerHour() == other.diskUsdPerHour();
  }

  private static List<TrialShape> legalSizes(
      Problem problem, OfferChoice offerChoice, int firstIndex) {
    IntRange allowed = problem.gpusPerTrial();
    int gpus = offerChoice.offer().gpus();
    List<TrialShape> legal = new ArrayList<>();
    int largest = Math.min(allowed.high(), offerChoice.profile().secondsByGpus().lastKey());
    for (int g = Math.max(1, allowed.low()); g <= largest; g++) {
      int team = Math.max(1, g / gpus);
      if (offerChoice.offer().isLegalSize(g)
          && team <= offerChoice.maxInstances()
          && offerChoice.profile().secondsPerUnit(g).isPresent()) {
        legal.add(
            new TrialShape(
                firstIndex + legal.size(), offerChoice, g, 1, Math.max(1, gpus / g), team));
      }
    }
    if (allowed.contains(1)) {
      for (int k : offerChoice.profile().secondsBySharing().keySet()) {
        if (haveRoom(problem, offerChoice, k)) {
          legal.add(new TrialShape(firstIndex + legal.size(), offerChoice, 1, k, k * gpus, 1));
        }
      }
    }
    return legal;
  }

  /** Trials share GPUs only if there is memory for them on as many instances as without sharing. */
  private static boolean haveRoom(Problem problem, OfferChoice offerChoice, int trialsPerGpu) {
    String name = offerChoice.offer().name();
    return problem.limits().quotas().stream()
        .allMatch(quota -> quota.maxInstances(name, trialsPerGpu) >= offerChoice.maxInstances());
  }
}
