package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A command that has ended.
 *
 * @param out what it has printed
 * @param err what it has said
 */
public record Ended(int exit, String out, String err) {
  /** Requires this exit code. */
  public Ended with(int expected) {
    assertThat(exit).as(out + err).isEqualTo(expected);
    return this;
  }

  /** Its one document. */
  public JsonNode json() {
    return JsonMapper.shared().readTree(out);
  }

  /** Its documents, one a line. */
  public List<JsonNode> lines() {
    return out.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
  }

  /** The document of its last line. */
  public JsonNode last() {
    List<JsonNode> lines = lines();
    assertThat(lines).as(err).isNotEmpty();
    return lines.get(lines.size() - 1);
  }

  /** The run that it has finished, as its last line names it. */
  public String run() {
    return last().path("run").asString();
  }
}
