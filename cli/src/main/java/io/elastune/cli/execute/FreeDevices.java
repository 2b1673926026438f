package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.ProviderCapacity;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.JsonNodeFactory;

/** Waits while other runs of this home hold the cores or GPUs that a run needs to start. */
final class FreeDevices {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  FreeDevices(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /** Waits until there is room for an instance of one of the offers; returns what is free then. */
  List<Quota> await(List<Offer> offers) {
    return await(offers, quotas -> ProviderCapacity.hasRoom(quotas, offers));
  }

  /** Waits until there is room for all instances of a plan. */
  void await(Problem problem, Plan plan) {
    await(problem.offers(), quotas -> PlanRules.meetsQuotas(problem, plan, quotas));
  }

  private List<Quota> now(List<Offer> offers) {
    return ProviderCapacity.of(cliEnvironment, offers, List.of(), true);
  }

  private List<Quota> await(List<Offer> offers, Predicate<List<Quota>> enough) {
    boolean told = false;
    List<Quota> quotas = now(offers);
    try {
      for (; !enough.test(quotas); quotas = now(offers)) {
        if (!told) {
          told = true;
          tell(quotas.stream().map(Quota::name).collect(Collectors.joining("; ")));
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return quotas;
  }

  private void tell(String holders) {
    output
        .text()
        .println("Waiting: " + holders + ". To free them: elastune stop RUN. Ctrl-C cancels.");
    if (output.json()) {
      cliEnvironment
          .out()
          .println(
              JsonNodeFactory.instance.objectNode().put("event", "waiting").put("reason", holders));
    }
  }
}
