package io.elastune.cli.text;

import io.elastune.core.plan.TrialGroup;
import io.elastune.inputs.Inputs;
import java.util.ArrayList;
import java.util.List;

/** Renders a job without a profile: its groups and offers, without a prediction. */
public final class MissingProfileScreen {
  private final Inputs inputs;

  public MissingProfileScreen(Inputs inputs) {
    this.inputs = inputs;
  }

  /** Returns the groups and the offers. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("No plan for " + inputs.job().value().name() + ": no profile is available.");
    String unit = inputs.job().value().search().resource().unit();
    TextTable groups = new TextTable().left("group").left("trials").left(Plural.of(unit));
    for (TrialGroup group : inputs.workload().groups()) {
      groups.row(
          group.name(),
          RungTasksLine.trials(group.name(), group.trials()),
          RungTasksLine.units(group.name(), group.units()));
    }
    lines.addAll(groups.lines());
    lines.add("");
    lines.add("Available offers (" + ProvenanceLine.source(inputs) + "):");
    lines.addAll(OfferTable.of(inputs.allowed(), inputs.catalog().value()));
    lines.addAll(inputs.catalog().value().notes());
    lines.addAll(inputs.remarks());
    return lines;
  }
}
