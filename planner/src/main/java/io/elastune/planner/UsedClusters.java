package io.elastune.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Static clusters of which only the use is billed: there the fastest sizes are not the cheapest. Of
 * all choices of sizes those are kept, group by group, that no other one dominates.
 */
final class UsedClusters {
  private final ChainModel model;
  private final GroupRun run;
  private final Rental rental;
  private final int instances;

  /** The first groups of a cluster, with time and cost if it ended there. */
  private record Begun(Held held, List<Size> sizes, Draft soFar) implements Timed {
    @Override
    public double completionS() {
      return soFar.completionS();
    }

    @Override
    public double costUsd() {
      return soFar.costUsd();
    }
  }

  UsedClusters(ChainModel model, Rental rental, int instances) {
    this.model = model;
    this.run = new GroupRun(model);
    this.rental = rental;
    this.instances = instances;
  }

  /** Returns all that no other one dominates, the fastest first. */
  List<Draft> all() {
    Held start = model.start().forGroup(rental, instances);
    Draft nothing = Draft.of(new Size[0], new int[0], 0, 0, 0);
    List<Begun> begun = List.of(new Begun(start, List.of(), nothing));
    for (int group = 0; group < model.groups(); group++) {
      Front<Begun> next = new Front<>((a, b) -> Draft.SMALLER.compare(a.soFar(), b.soFar()));
      for (Begun one : begun) {
        for (Size size : model.sizesOf(rental.index())) {
          if (size.team() <= instances) {
            next.add(after(one, group, size));
          }
        }
      }
      begun = next.items();
    }
    return begun.stream().map(Begun::soFar).toList();
  }

  private Begun after(Begun before, int group, Size size) {
    run.run(before.held(), group, size, instances);
    List<Size> sizes = new ArrayList<>(before.sizes());
    sizes.add(size);
    int[] counts = new int[sizes.size()];
    Arrays.fill(counts, instances);
    double meanS = run.endS();
    double costUsd = run.heldToTheEndUsd() + meanS * model.clockUsdPerS();
    Draft soFar =
        Draft.of(
            sizes.toArray(Size[]::new), counts, model.safeS(meanS, run.endS2()), meanS, costUsd);
    return new Begun(run.release(0), sizes, soFar);
  }
}
