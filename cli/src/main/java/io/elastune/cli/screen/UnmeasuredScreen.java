package io.elastune.cli.screen;

import io.elastune.cli.wiring.Inputs;
import io.elastune.core.plan.TrialGroup;
import java.util.ArrayList;
import java.util.List;

/** A job of which nothing was measured yet: what is known is shown, and no total. */
public final class UnmeasuredScreen {
  private final Inputs inputs;

  public UnmeasuredScreen(Inputs inputs) {
    this.inputs = inputs;
  }

  /** Groups and offers. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("No plan yet for " + inputs.job().value().name() + ": nothing was measured.");
    String unit = inputs.job().value().search().resource().unit();
    TextTable groups = new TextTable().left("group").left("trials").left(Plural.of(unit));
    for (TrialGroup group : inputs.workload().groups()) {
      groups.row(group.name(), group.trials(), group.units());
    }
    lines.addAll(groups.lines());
    lines.add("");
    lines.add("May be rented (" + Provenance.source(inputs) + "):");
    lines.addAll(OfferTable.of(inputs.allowed()));
    return lines;
  }
}
