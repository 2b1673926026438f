package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks the forecast: reports when the deadline is at risk, and requests a new plan for the rest
 * of the run after that, after a change in the speed of the trials, or after an unplanned event.
 * {@link Adoption} handles the response.
 */
final class Replanning {
  /** The least change of the speed ratio since the last request that causes another request. */
  private static final double PACE = 0.1;

  /** The least increase of a forecast, as a fraction of the limit, that causes another request. */
  static final double WORSE = 0.05;

  /**
   * A report received within this many seconds comes from a clock that agrees with the
   * controller's.
   */
  private static final double PROMPT_S = 1;

  /** Seconds for which an offer counts as unavailable after a refusal. */
  private static final double REFUSED_S = 600;

  private Replanning() {}

  /** Whether the run may get a new plan. */
  static boolean isOn(Draft draft) {
    return draft.definition.planning().isPresent() && !draft.hold();
  }

  /** Updates the speed ratio after a report. */
  static void reported(Draft draft, AttemptState before, int unit, Instant at) {
    TrialGroup group = draft.group(before.chain()).orElse(null);
    boolean own = before.ending() == AttemptState.Ending.NOT;
    if (group == null || !own || draft.definition.planning().isEmpty()) {
      return; // the start of the units of an adopted attempt is unknown
    }
    Allocation allocation = draft.allocation(group);
    Speed speed =
        draft
            .definition
            .profile(draft.definition.offer(allocation.offer()))
            .map(profile -> Speed.of(profile, allocation))
            .orElseThrow();
    boolean first = before.lastUnit() == before.from();
    boolean prompt = Seconds.between(at, draft.now) <= PROMPT_S;
    if (first && !prompt) {
      return; // its start is by the controller's clock, which may differ
    }
    int done = before.lastUnit() - before.from();
    int more = unit - before.lastUnit();
    double took = Seconds.between(before.reportedAt(), at) - (first ? speed.startupS() : 0);
    double variance =
        speed.varianceS2(done + more)
            - speed.varianceS2(done)
            + (first ? speed.startupVarianceS2() : 0);
    Steering steering = draft.steering();
    draft.steering(steering.withPace(steering.pace().plus(more * speed.unitS(), took, variance)));
  }

  /** Checks the forecast if anything has changed that it depends on. */
  static void look(Draft draft, boolean passing) {
    if (draft.definition.planning().isEmpty() || !draft.running()) {
      return;
    }
    boolean paced = isPaced(draft.steering());
    boolean doubted = draft.steering().doubt().isPresent() && !draft.steering().open();
    if (!draft.moved() && !passing && !paced && !doubted) {
      return;
    }
    RunState state = draft.peek();
    Ledger ledger = Ledger.of(draft.definition, state);
    double elapsed = Seconds.between(draft.began(), draft.now);
    int groups = state.chains().stream().mapToInt(chain -> chain.started().size()).sum();
    Steering.Basis basis =
        new Steering.Basis(
            draft.steering().pace().factor(),
            elapsed + ledger.remainingSeconds(),
            ledger.forecastUsd(),
            groups);
    watchDeadline(draft, basis);
    if (draft.steering().open() || !isOn(draft) || groups == 0) {
      return;
    }
    reason(draft, basis, paced).ifPresent(reason -> ask(draft, reason, basis));
  }

  private static boolean isPaced(Steering steering) {
    return Math.abs(steering.pace().factor() / steering.basis().pace() - 1) > PACE;
  }

  /**
   * Reports once when the forecast misses the deadline, and again after it met the deadline in
   * between.
   */
  private static void watchDeadline(Draft draft, Steering.Basis basis) {
    if (draft.definition.deadlineS().isEmpty()) {
      return;
    }
    double deadline = draft.definition.deadlineS().getAsDouble();
    double late = basis.completionS() - deadline;
    if (late > 0 && !draft.steering().atRisk()) {
      draft.steering(draft.steering().withRisk(true));
      draft.note(
          DecisionKind.AT_RISK,
          "expected to end " + Durations.format(late) + " after the deadline",
          numbers(draft, basis));
    } else if (late < -WORSE * deadline && draft.steering().atRisk()) {
      draft.steering(draft.steering().withRisk(false));
      draft.note(
          DecisionKind.ON_TIME,
          "expected to end " + Durations.format(-late) + " before the deadline again",
          numbers(draft, basis));
    }
  }

  static Map<String, Double> numbers(Draft draft, Steering.Basis basis) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("forecast_s", basis.completionS());
    draft.definition.deadlineS().ifPresent(deadline -> numbers.put("deadline_s", deadline));
    numbers.put("forecast_usd", basis.usd());
    draft.budgetLeftUsd().ifPresent(budget -> numbers.put("budget_usd", budget));
    numbers.put("pace", basis.pace());
    return numbers;
  }

  private static Optional<String> reason(Draft draft, Steering.Basis now, boolean paced) {
    Steering.Basis before = draft.steering().basis();
    if (draft.steering().doubt().isPresent()) {
      return draft.steering().doubt();
    }
    if (paced) {
      notePace(draft, now);
      return Optional.of("pace");
    }
    boolean another = now.groups() > before.groups();
    double deadline = draft.definition.deadlineS().orElse(Double.POSITIVE_INFINITY);
    boolean worse = now.completionS() > before.completionS() + WORSE * deadline;
    if (now.completionS() > deadline && (another || (worse && !draft.steering().lost()))) {
      return Optional.of("deadline");
    }
    double budget = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    return now.usd() > budget && (another || now.usd() > before.usd() + WORSE * budget)
        ? Optional.of("budget")
        : Optional.empty();
  }

  private static void notePace(Draft draft, Steering.Basis basis) {
    Pace pace = draft.steering().pace();
    Map<String, Double> numbers = numbers(draft, basis);
    numbers.put("standard_error", pace.errorOf());
    numbers.put("predicted_s", pace.predictedS());
    numbers.put("observed_s", pace.observedS());
    draft.note(
        DecisionKind.PACE,
        "trials take %.2f times as long as profiled".formatted(basis.pace()),
        numbers);
  }

  private static void ask(Draft draft, String reason, Steering.Basis basis) {
    Question question = question(draft, basis.pace());
    if (!question.chains().isEmpty()) {
      draft.steering(draft.steering().asking(basis));
      draft.command(new Command.Replan(draft.steering().asked(), reason, question));
    }
  }

  private static Question question(Draft draft, double pace) {
    List<Question.Chain> chains = new ArrayList<>();
    double settled = 0;
    RunState state = draft.peek();
    Ledger ledger = Ledger.of(draft.definition, state);
    for (LeaseState lease : draft.leases()) {
      boolean kept = isKept(draft, lease);
      settled += kept ? draft.definition.offer(lease.offer()).dataInUsd() : ledger.leaseUsd(lease);
    }
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      if (draft.group(chain).isPresent()) {
        chains.add(
            chain(draft, chain, draft.group(chain).get(), new Ahead(draft.definition, state)));
      }
    }
    return new Question(
        Seconds.between(draft.began(), draft.now),
        settled,
        pace,
        draft.definition.deadlineS(),
        draft.budgetLeftUsd(),
        chains,
        List.copyOf(refused(draft).keySet()),
        draft.steering().market().prices());
  }

  /** Returns the message of each recent refusal, by offer. */
  static SortedMap<String, String> refused(Draft draft) {
    SortedMap<String, String> refused = new TreeMap<>();
    draft
        .steering()
        .market()
        .refused()
        .forEach(
            (offer, refusal) -> {
              if (Seconds.between(refusal.at(), draft.now) < REFUSED_S) {
                refused.put(offer, refusal.why());
              }
            });
    return refused;
  }

  /** Whether the group in progress of its chain uses it. */
  private static boolean isKept(Draft draft, LeaseState lease) {
    return lease.held()
        && draft
            .group(lease.chain())
            .filter(group -> draft.allocation(group).offer().equals(lease.offer()))
            .isPresent();
  }

  private static Question.Chain chain(Draft draft, int chain, TrialGroup group, Ahead ahead) {
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    List<TrialGroup> later = groups.subList(draft.chain(chain).group() + 1, groups.size());
    Allocation allocation = draft.allocation(group);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    groups
        .subList(draft.chain(chain).group(), groups.size())
        .forEach(one -> allocations.put(one.name(), draft.allocation(one)));
    double nowS = Seconds.between(draft.began(), draft.now);
    List<Question.Instance> held =
        draft.held(chain, allocation.offer()).stream()
            .map(lease -> instance(draft, lease, ahead, nowS))
            .toList();
    return new Question.Chain(
        draft.groupsOf(chain).name(),
        left(draft, chain, group),
        nowS + ahead.groupLeftS(chain),
        draft.hasAttempts(chain),
        held.size() >= PlacementController.teamSize(draft, allocation) || draft.hasAttempts(chain),
        later,
        allocations,
        held);
  }

  private static Question.Instance instance(
      Draft draft, LeaseState lease, Ahead ahead, double nowS) {
    LeaseState upToNow = lease.busySince().isPresent() ? lease.idle(draft.now) : lease;
    double running = ahead.runningS(lease);
    double ready = ahead.readyS(lease);
    return new Question.Instance(
        lease.offer(),
        Math.max(0, nowS + (lease.runningAt().isPresent() ? running : Math.max(0, running))),
        Math.max(0, nowS + (lease.isReady() ? ready : Math.max(0, ready))),
        upToNow.usedS());
  }

  /** The rest of the group in progress: its remaining trials, and the mean units that they lack. */
  private static TrialGroup left(Draft draft, int chain, TrialGroup group) {
    int trials = 0;
    int units = 0;
    for (AttemptState attempt : draft.attemptsOf(chain)) {
      trials++;
      units += Math.max(1, attempt.to() - attempt.lastUnit());
    }
    for (int trial : draft.chain(chain).waiting()) {
      trials++;
      units += group.toUnit() - Math.min(draft.trial(trial).checkpoint(), group.toUnit() - 1);
    }
    int each = trials == 0 ? 1 : (units + trials - 1) / trials;
    return new TrialGroup(group.name(), Math.max(1, trials), group.toUnit() - each, group.toUnit());
  }
}
