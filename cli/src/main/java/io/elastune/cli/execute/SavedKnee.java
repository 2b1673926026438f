package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.config.PlanDocument;
import io.elastune.inputs.LoadedFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds the knee in a saved plan. */
final class SavedKnee {
  private SavedKnee() {}

  /**
   * Returns its number on the frontier.
   *
   * @throws CommandFailure if the frontier has none
   */
  static int number(LoadedFile<PlanDocument> document) {
    JsonNode choice = JsonMapper.shared().readTree(document.text()).at("/knee/choice");
    if (!choice.isInt()) {
      throw CommandFailure.invalid(
          "--choice",
          "the frontier in " + document.name() + " has no knee",
          "use a number of its frontier");
    }
    return choice.asInt();
  }
}
