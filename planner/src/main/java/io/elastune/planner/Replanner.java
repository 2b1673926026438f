package io.elastune.planner;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.Finalists;
import io.elastune.planner.evaluate.SampleRoom;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.simulator.instance.PresentInstances;
import io.elastune.simulator.timeline.GroupsRest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Re-plans the remaining groups of a run whose chains have instances of their own, from its present
 * state: completed groups stay as they are, held instances may be kept, and deadline and budget
 * apply to the run as a whole. The search uses the mean-value model; the present plan and the best
 * others are sampled from the state, with common random numbers.
 */
public final class Replanner implements RestPlans {
  private final MeanValueRest model;
  private final Problem rest;
  private final SampleRoom room;
  private final GroupsRest sampler;
  private final Map<Plan, PlanForecast> sampled = new HashMap<>();

  /**
   * Creates a re-planner for one state of a run.
   *
   * @param problem the offers and profiles as they are known now, and the limits of the run
   */
  public Replanner(Problem problem, RunSnapshot snapshot) {
    model = new MeanValueRest(problem, snapshot);
    rest = model.problem();
    List<GroupsRest.ChainStart> starts = new ArrayList<>();
    for (RunSnapshot.ChainSnapshot chain : snapshot.chains()) {
      starts.add(
          new GroupsRest.ChainStart(
              new PresentInstances(chain.held(), model.fromS(chain)),
              Math.sqrt(chain.fromS2()),
              chain.before().map(before -> before.on(order(chain.held())::indexOf))));
    }
    room = new SampleRoom(rest.workload().groups().stream().mapToLong(TrialGroup::trials).sum());
    sampler =
        new GroupsRest(rest, new GroupsRest.Start(snapshot.settledUsd(), starts), room.samples());
  }

  /** Returns the indexes of instances, those first that are ready first. */
  private static List<Integer> order(List<RentedInstance> held) {
    return IntStream.range(0, held.size())
        .boxed()
        .sorted(Comparator.comparingDouble(index -> held.get(index).readyS()))
        .toList();
  }

  /** Returns the forecast with a plan, also if the limits do not allow it. */
  @Override
  public Optional<PlanForecast> outlook(Plan plan) {
    boolean isKnown =
        plan.allocations().values().stream()
            .allMatch(it -> rest.offer(it.offer()).flatMap(rest::profile).isPresent());
    return isKnown ? Optional.of(forecast(left(plan))) : Optional.empty();
  }

  @Override
  public boolean allows(Plan plan) {
    return modelS(left(plan), model.choices(plan)).isPresent();
  }

  /** Returns the present plan first, if the limits allow it. */
  @Override
  public List<PlanForecast> alternatives(Plan current) {
    Plan present = left(current);
    ChoiceSet choiceSet = model.choices(present);
    if (choiceSet.offerChoices().isEmpty()) {
      return List.of();
    }
    List<PlanForecast> forecasts = new ArrayList<>();
    double byS = rest.limits().deadlineOrInfinityS();
    List<Double> limitsS = new ArrayList<>();
    OptionalDouble modelS = modelS(present, choiceSet);
    if (modelS.isPresent()) {
      PlanForecast now = forecast(present);
      forecasts.add(now);
      if (Double.isFinite(byS)) {
        byS -= now.safeS() - modelS.getAsDouble(); // the error of the mean values
      }
      if (modelS.getAsDouble() > byS) {
        limitsS.add(modelS.getAsDouble());
      }
    }
    limitsS.add(0, byS);
    JobSearch search = search(present, choiceSet, limitsS);
    List<JobCandidate> front = search.front(byS).items();
    new Finalists(limitsS, rest.limits().budgetOrInfinityUsd(), room.plans())
        .of(front).stream()
            .map(candidate -> search.plan(candidate, false))
            .filter(plan -> !plan.allocations().equals(present.allocations()))
            .map(this::forecast)
            .forEach(forecasts::add);
    return forecasts;
  }

  /**
   * Searches for plans by mean values.
   *
   * @param limitsS the time by which plans should end, and that of the present plan if it is later
   */
  private JobSearch search(Plan present, ChoiceSet choiceSet, List<Double> limitsS) {
    JobSearch search = model.search(choiceSet);
    search.know(present);
    limitsS.forEach(search::deepen);
    // If the present plan leads to one that meets the limits, its neighbors suffice.
    double byS = limitsS.get(0);
    double withinUsd = rest.limits().budgetOrInfinityUsd();
    if (search.front(byS).items().stream()
        .noneMatch(it -> it.completionS() <= byS && it.costUsd() <= withinUsd)) {
      search.hasten();
      search.descend(byS);
    }
    return search;
  }

  /** Returns the part of a plan that is left. */
  private Plan left(Plan plan) {
    Map<String, Allocation> allocations = new TreeMap<>();
    rest.workload().groups().forEach(group -> allocations.put(group.name(), plan.of(group)));
    return new Plan(false, allocations);
  }

  /**
   * Returns when a plan ends by the model of the search, which knows no spare instances; empty if
   * it is not among its choices.
   */
  private OptionalDouble modelS(Plan plan, ChoiceSet choiceSet) {
    Plan known = plan;
    for (TrialGroup group : rest.workload().groups()) {
      Allocation own = plan.of(group);
      known = known.with(group.name(), own.single().withInstances(own.instances()));
    }
    return model.score(known, choiceSet, rest.limits().confidence()).stream()
        .mapToDouble(MeanValueRest.Score::completionS)
        .findFirst();
  }

  private PlanForecast forecast(Plan plan) {
    return sampled.computeIfAbsent(
        plan, it -> PlanForecast.of(it, sampler.sample(it), rest.limits().confidence()));
  }
}
