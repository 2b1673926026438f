package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Evaluates Python expressions in drivers of a Ray cluster. One process evaluates all, each with a
 * driver of its own: importing Ray takes several times as long as an expression.
 */
final class RayProbe implements AutoCloseable {
  private static final String SCRIPT =
      """
      import json, os, sys, time
      answers = os.fdopen(os.dup(1), "w")
      os.dup2(2, 1)  # what Ray prints is no answer
      import ray
      for line in sys.stdin:
          try:
              ray.init(sys.argv[1], logging_level="ERROR", log_to_driver=False)
              answer = {"value": str(eval(json.loads(line)))}
          except Exception as e:
              answer = {"error": repr(e)}
          ray.shutdown()
          answers.write(json.dumps(answer) + "\\n")
          answers.flush()
      """;

  private final ProcessBuilder builder;
  private @Nullable Process process;

  /**
   * Creates a probe; its process starts with the first expression.
   *
   * @param log the file of its errors
   */
  RayProbe(String python, String address, Map<String, String> authentication, Path log) {
    builder = new ProcessBuilder(List.of(python, "-u", "-c", SCRIPT, address));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(authentication);
  }

  /** Returns the text of the value of an expression. */
  synchronized String evaluate(String expression) throws IOException {
    if (process == null || !process.isAlive()) {
      process = builder.start();
    }
    Writer requests = process.outputWriter(StandardCharsets.UTF_8);
    requests.write(JsonMapper.shared().writeValueAsString(expression) + "\n");
    requests.flush();
    BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
    String line = answers.readLine();
    assertThat(line).as("the answer of the driver; see %s", builder.redirectError()).isNotNull();
    JsonNode answer = JsonMapper.shared().readTree(line);
    assertThat(answer.path("error").asString("")).as(expression).isEmpty();
    return answer.path("value").asString();
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }
}
