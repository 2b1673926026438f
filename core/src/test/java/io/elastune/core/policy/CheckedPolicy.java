package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy with a check of every decision: it is repeatable, starts only what waits, and puts no
 * more on a GPU than fits.
 *
 * @param share the trials that share a GPU, if any do
 */
record CheckedPolicy<P extends PolicyState>(SchedulingPolicy<P> policy, int share)
    implements SchedulingPolicy<P> {
  private static final double ROUNDING = 1e-9;

  @Override
  public P initial() {
    return policy.initial();
  }

  @Override
  public boolean usesUnitEnds(P state) {
    return policy.usesUnitEnds(state);
  }

  @Override
  public boolean usesReports() {
    return policy.usesReports();
  }

  @Override
  public PolicyStep<P> assign(P state, PolicyView view) {
    PolicyStep<P> step = policy.assign(state, view);
    assertThat(policy.assign(state, view)).isEqualTo(step);
    Map<List<Integer>, Double> load = new HashMap<>();
    view.running().forEach(one -> use(load, one.instance(), one.gpus(), one.width()));
    Set<Integer> waiting = new HashSet<>();
    view.waiting().forEach(task -> waiting.add(task.trial()));
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        assertThat(waiting.remove(start.trial())).isTrue();
        assertThat(view.instances().get(start.instance()).isReady()).isTrue();
        assertThat(start.gpus()).hasSize(start.width().gpus());
        use(load, start.instance(), start.gpus(), start.width());
      }
    }
    assertThat(load.values()).allMatch(used -> used <= 1 + ROUNDING);
    return step;
  }

  private void use(Map<List<Integer>, Double> load, int instance, List<Integer> gpus, Width width) {
    assertThat(width.trialsPerGpu()).isIn(1, share);
    for (int gpu : gpus) {
      load.merge(List.of(instance, gpu), 1.0 / width.trialsPerGpu(), Double::sum);
    }
  }
}
