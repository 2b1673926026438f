package io.elastune.planner;

import io.elastune.core.allocation.Holding;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Plays a plan from barrier to barrier and looks, at each, at what may come after it. */
public final class Foresight {
  private final Problem problem;
  private final Plan plan;
  private final long effort;

  /**
   * For a plan of {@code problem} that releases what it does not need.
   *
   * @param effort steps of the exact search at each barrier
   */
  public Foresight(Problem problem, Plan plan, long effort) {
    this.problem = problem;
    this.plan = plan;
    this.effort = effort;
  }

  /** What the plan leaves open at every barrier. */
  public Outlook outlook() {
    Map<String, List<Outlook.Choice>> choices = new HashMap<>();
    for (Chain chain : problem.workload().chains()) {
      Replanner replanner = new Replanner(problem.withLimits(leftBy(chain)), effort);
      for (int group = 0; group < chain.groups().size(); group++) {
        Standing standing = before(chain, group);
        double spentUsd = spentUsd(standing);
        List<Outlook.Choice> rest = new ArrayList<>();
        for (Replan replan : replanner.choices(standing, plan)) {
          rest.add(
              new Outlook.Choice(
                  replan.completionS() - standing.atS(),
                  replan.costUsd() - spentUsd,
                  replan.plan()));
        }
        choices.put(chain.groups().get(group).name(), rest);
      }
    }
    return new Outlook(choices);
  }

  /** Where one chain of the plan stands, in the mean, when {@code group} is about to begin. */
  Standing before(Chain chain, int group) {
    Menu menu = Menu.of(problem);
    ChainModel model = JobSearch.model(problem, menu, chain, true, Start.NOTHING);
    Draft draft =
        model
            .draft(plan)
            .orElseThrow(() -> new IllegalArgumentException("no plan of this problem: " + plan));
    Held held = new Scorer(model).before(draft, group);
    List<Standing.Instance> instances = new ArrayList<>();
    for (int block = 0; block < held.blocks(); block++) {
      Standing.Instance instance =
          new Standing.Instance(
              menu.rentals().get(held.rental()).offer().name(),
              held.runningS()[block],
              held.readyS()[block],
              held.usedS()[block]);
      for (int i = 0; i < held.counts()[block]; i++) {
        instances.add(instance);
      }
    }
    Standing.Chain left =
        new Standing.Chain(
            chain.name(), chain.groups().subList(group, chain.groups().size()), instances);
    return new Standing(held.timeS(), held.costUsd(), List.of(left));
  }

  /** What has been paid by then: leases under way by the second, and what is paid by the hour. */
  private double spentUsd(Standing standing) {
    double usd = standing.settledUsd() + standing.atS() * problem.running().usdPerS();
    for (Standing.Instance instance : standing.chains().get(0).held()) {
      Offer offer = problem.offer(instance.offer()).orElseThrow();
      Rental rental = new Rental(0, offer, problem.profile(offer).orElseThrow(), 0);
      usd += rental.accruedUsd(standing.atS() - instance.runningS(), instance.usedS());
    }
    return usd;
  }

  /** Limits less what the other chains may hold at the same time. */
  private Limits leftBy(Chain chain) {
    Limits limits = problem.limits();
    List<Quota> quotas = new ArrayList<>();
    for (Quota quota : limits.quotas()) {
      int taken = (int) others(chain, allocation -> quota.use(allocation.offer()));
      quotas.add(new Quota(quota.name(), quota.unit(), quota.limit() - taken, quota.uses()));
    }
    return new Limits(
        limits.deadlineS(),
        limits.budgetUsd(),
        limits.confidence(),
        limits.maxInstances() - (int) others(chain, allocation -> 1),
        limits.maxUsdPerHour() - others(chain, this::usdPerHour),
        quotas);
  }

  private double others(Chain chain, ToDoubleFunction<Allocation> each) {
    double sum = 0;
    for (Chain other : problem.workload().chains()) {
      if (!other.name().equals(chain.name())) {
        sum += Holding.most(other, plan, each);
      }
    }
    return sum;
  }

  private double usdPerHour(Allocation allocation) {
    return problem.offer(allocation.offer()).orElseThrow().usdPerHour();
  }
}
