package io.elastune.core.properties;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Returns jobs and plans that are one step simpler than a given one, the largest steps first. */
final class SmallerJobs {
  private final PlannedJob job;
  private final Problem problem;
  private final List<PlannedJob> smaller = new ArrayList<>();

  private SmallerJobs(PlannedJob job) {
    this.job = job;
    this.problem = job.problem();
  }

  /** Returns the simpler jobs. Some may be illegal; none equals {@code job}. */
  static List<PlannedJob> of(PlannedJob job) {
    SmallerJobs steps = new SmallerJobs(job);
    steps.fewerChains();
    steps.fewerGroups();
    steps.fewerOffers();
    steps.fewerTrialsAndUnits();
    steps.plainerPlan();
    steps.plainerProblem();
    steps.plainerOffersAndProfiles();
    return steps.smaller.stream().filter(each -> !each.equals(job)).distinct().toList();
  }

  private void fewerChains() {
    List<Chain> chains = problem.workload().chains();
    for (int i = 0; i < chains.size() && chains.size() > 1; i++) {
      List<Chain> left = new ArrayList<>(chains);
      left.remove(i);
      add(left);
    }
  }

  private void fewerGroups() {
    for (Chain chain : problem.workload().chains()) {
      List<TrialGroup> groups = chain.groups();
      for (int i = groups.size() - 1; i >= 0 && groups.size() > 1; i--) {
        List<TrialGroup> left = new ArrayList<>(groups);
        left.remove(i);
        replace(chain, new Chain(chain.name(), left));
      }
    }
  }

  private void fewerTrialsAndUnits() {
    for (Chain chain : problem.workload().chains()) {
      for (TrialGroup group : chain.groups()) {
        for (int trials : less(group.trials())) {
          replace(chain, group, trials, group.units());
        }
        for (int units : less(group.units())) {
          replace(chain, group, group.trials(), units);
        }
      }
    }
  }

  private static int[] less(int number) {
    return number == 1 ? new int[0] : new int[] {1, (number + 1) / 2, number - 1};
  }

  private void replace(Chain chain, TrialGroup group, int trials, int units) {
    List<TrialGroup> groups = new ArrayList<>(chain.groups());
    TrialGroup other =
        new TrialGroup(group.name(), trials, group.fromUnit(), group.fromUnit() + units);
    groups.set(groups.indexOf(group), other);
    replace(chain, new Chain(chain.name(), groups));
  }

  private void replace(Chain chain, Chain other) {
    List<Chain> chains = new ArrayList<>(problem.workload().chains());
    chains.set(chains.indexOf(chain), other);
    add(chains);
  }

  private void add(List<Chain> chains) {
    Workload workload = new Workload(chains);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    workload.groups().forEach(group -> allocations.put(group.name(), job.plan().of(group)));
    smaller.add(
        new PlannedJob(
            new Problem(
                workload,
                problem.offers(),
                problem.profiles(),
                problem.gpusPerTrial(),
                problem.limits(),
                problem.running(),
                problem.seed()),
            new Plan(job.plan().hold(), allocations)));
  }

  private void fewerOffers() {
    List<String> used =
        job.plan().allocations().values().stream().map(Allocation::offer).distinct().toList();
    var offers = problem.offers().stream().filter(o -> used.contains(o.name())).toList();
    var gpus = offers.stream().map(offer -> offer.gpu()).collect(Collectors.toSet());
    Map<String, Profile> profiles = new TreeMap<>(problem.profiles());
    profiles.keySet().retainAll(gpus);
    smaller.add(job.with(problem.with(offers, profiles)));
  }

  private void plainerProblem() {
    smaller.add(with(HourlyCosts.NONE, problem.seed()));
    smaller.add(with(problem.running(), 0));
  }

  private PlannedJob with(HourlyCosts running, long seed) {
    return job.with(
        new Problem(
            problem.workload(),
            problem.offers(),
            problem.profiles(),
            problem.gpusPerTrial(),
            problem.limits(),
            running,
            seed));
  }

  private void plainerPlan() {
    smaller.add(job.with(new Plan(false, job.plan().allocations())));
    String first = job.plan().allocations().values().iterator().next().offer();
    job.plan()
        .allocations()
        .forEach(
            (group, now) -> {
              smaller.add(job.with(group, a -> new Allocation(first, a.instances(), 1, 1)));
              smaller.add(job.with(group, a -> new Allocation(a.offer(), a.instances(), 1, 1)));
              for (int instances : less(now.instances())) {
                smaller.add(job.with(group, a -> a.withInstances(instances)));
              }
            });
  }

  private void plainerOffersAndProfiles() {
    for (int i = 0; i < problem.offers().size(); i++) {
      for (var plainer : SimplerInputs.of(problem.offers().get(i))) {
        var offers = new ArrayList<>(problem.offers());
        offers.set(i, plainer);
        smaller.add(job.with(problem.with(offers, problem.profiles())));
      }
    }
    for (Profile profile : problem.profiles().values()) {
      for (Profile plainer : SimplerInputs.of(profile)) {
        Map<String, Profile> profiles = new TreeMap<>(problem.profiles());
        profiles.put(plainer.gpu(), plainer);
        smaller.add(job.with(problem.with(problem.offers(), profiles)));
      }
    }
  }
}
