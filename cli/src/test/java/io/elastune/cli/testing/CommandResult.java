package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a command in a separate process.
 *
 * @param out its standard output
 * @param err its standard error
 */
public record CommandResult(int exit, String out, String err) {
  /** Asserts the exit code. */
  public CommandResult assertExit(int expected) {
    assertThat(exit).as(out + err).isEqualTo(expected);
    return this;
  }

  /** Parses the output as one document. */
  public JsonNode json() {
    return JsonMapper.shared().readTree(out);
  }

  /** Parses the output as JSON Lines. */
  public List<JsonNode> lines() {
    return out.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
  }

  /** Returns the document of the last line. */
  public JsonNode lastLine() {
    List<JsonNode> lines = lines();
    assertThat(lines).as(err).isNotEmpty();
    return lines.get(lines.size() - 1);
  }

  /** Returns the run named in the last line. */
  public String run() {
    return lastLine().path("run").asString();
  }
}
