package io.elastune.cli.screen;

import io.elastune.cli.wiring.Assumed;
import io.elastune.cli.wiring.Inputs;
import io.elastune.core.billing.RunningCosts;
import io.elastune.core.job.Checkpoints;
import io.elastune.core.job.Resources;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a prediction leaves out, and what it takes for granted. */
public final class Remarks {
  private final Inputs inputs;
  private final Problem problem;
  private final Plan plan;
  private final Assumed assumed;
  private final List<Offer> used;

  public Remarks(Inputs inputs, Problem problem, Plan plan) {
    this.inputs = inputs;
    this.problem = problem;
    this.plan = plan;
    this.assumed = new Assumed(problem);
    this.used =
        plan.allocations().values().stream()
            .map(Allocation::offer)
            .distinct()
            .flatMap(name -> problem.offer(name).stream())
            .toList();
  }

  /** One remark a line. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    RunningCosts running = inputs.job().value().runningCosts(inputs.workload());
    if (running.controllerUsdPerHour() > 0) {
      lines.add(
          "included: the controller's own machine, "
              + Usd.format(running.controllerUsdPerHour())
              + " an hour");
    }
    if (running.storageUsdPerHour() > 0) {
      lines.add(
          "included: " + storage() + ", " + Usd.format(running.storageUsdPerHour()) + " an hour");
    }
    lines.add("not included: " + String.join(", ", notIncluded()));
    if (used.stream().allMatch(Offer::inVirtualTime)) {
      lines.add("simulated, in virtual time: nothing is rented, and nothing is charged");
    } else if (used.stream().allMatch(offer -> offer.price() == PriceKind.NOTIONAL)) {
      lines.add("prices are notional: nothing is charged");
    } else if (used.stream().anyMatch(offer -> offer.price() == PriceKind.NOTIONAL)) {
      lines.add("some prices are notional: those are not charged");
    }
    if (used.stream().anyMatch(offer -> offer.market() == Market.SPOT)) {
      lines.add("spot: interruptions are not in the estimate");
    }
    if (!assumed.offers(plan).isEmpty()) {
      lines.add(
          "~ rests on queueing and boot times assumed, not measured here, of "
              + String.join(", ", assumed.offers(plan))
              + " ("
              + Provenance.source(inputs)
              + ")");
    }
    if (!assumed.speeds(plan).isEmpty()) {
      lines.add(
          "~ rests on "
              + String.join(", ", assumed.speeds(plan))
              + ": between numbers of GPUs that were measured");
    }
    lines.addAll(tightQuotas());
    oversubscribed().ifPresent(lines::add);
    lines.addAll(inputs.remarks());
    return lines;
  }

  /** Quotas that allow fewer instances than the job does. */
  private List<String> tightQuotas() {
    int most = problem.limits().maxInstances();
    List<String> lines = new ArrayList<>();
    for (Quota quota : problem.limits().quotas()) {
      for (Offer offer : used) {
        if (quota.most(offer.name()) < most) {
          lines.add(
              quota
                  + " lets you hold at most "
                  + quota.most(offer.name())
                  + " × "
                  + OfferNames.shortest(problem, offer.name()));
        }
      }
    }
    return lines;
  }

  /** Local instances may ask for more cores than there are: then the measured times do not hold. */
  private Optional<String> oversubscribed() {
    int cores = Runtime.getRuntime().availableProcessors();
    int most =
        inputs.workload().chains().stream()
            .mapToInt(chain -> chain.groups().stream().mapToInt(this::localCores).max().orElse(0))
            .sum();
    return most > cores
        ? Optional.of(
            "this machine has "
                + cores
                + " cores, and the plan takes up to "
                + most
                + ": workers would share cores and be slower than predicted")
        : Optional.empty();
  }

  private int localCores(TrialGroup group) {
    Allocation allocation = plan.of(group);
    return used.stream()
        .filter(offer -> offer.provider().equals("local"))
        .filter(offer -> offer.name().equals(allocation.offer()))
        .mapToInt(offer -> allocation.instances() * offer.gpus() * offer.coresPerGpu())
        .sum();
  }

  private String storage() {
    Checkpoints checkpoints = inputs.job().value().trial().checkpoints();
    return "storage of %d trials × %d of their checkpoints × %s GB"
        .formatted(
            inputs.workload().trials(),
            checkpoints.keep(),
            BigDecimal.valueOf(checkpoints.sizeGb()).stripTrailingZeros().toPlainString());
  }

  private List<String> notIncluded() {
    Resources resources = inputs.job().value().resources();
    List<String> left = new ArrayList<>(List.of("egress", "taxes"));
    if (resources.discount() == 0) {
      left.add("discounts");
    }
    if (resources.controllerUsdPerHour() == 0) {
      left.add("the controller's own machine");
    }
    Checkpoints checkpoints = inputs.job().value().trial().checkpoints();
    if (checkpoints.usdPerHour(1) > 0) {
      left.add("checkpoints kept after the end");
    } else {
      checkpoints.store().ifPresent(store -> left.add("checkpoint storage in " + store));
    }
    return left;
  }
}
