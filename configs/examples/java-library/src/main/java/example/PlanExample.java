package example;

import io.elastune.plan.api.BestPlan;
import io.elastune.plan.api.InputProblem;
import io.elastune.plan.api.InvalidInputException;
import io.elastune.plan.api.NoPlanException;
import io.elastune.plan.api.Plans;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Plans a job with times that the program states. Usage: PlanExample job.yaml offers.yaml. */
public final class PlanExample {
  private PlanExample() {}

  public static void main(String[] arguments) {
    Plans plans =
        Plans.of(Path.of(arguments[0]))
            .offers(Path.of(arguments[1]))
            .profile("V100", Map.of(1, 30.0, 2, 16.0));
    try {
      BestPlan best = plans.best();
      best.groups().forEach(one -> print("%s: %d × %s", one.group(), one.instances(), one.offer()));
      print("%.0f s, %.2f USD", best.completionSeconds(), best.costUsd());
      print("%d plans on the frontier", plans.frontier().plans().size());
      print("simulated: %.2f USD", plans.simulate(best).estimate().costUsd().mean());
    } catch (InvalidInputException e) {
      for (InputProblem problem : e.problems()) {
        print("%s:%d: %s: %s", problem.file(), problem.line(), problem.field(), problem.message());
      }
    } catch (NoPlanException e) {
      print("no plan meets %s", e.missed().violated());
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
