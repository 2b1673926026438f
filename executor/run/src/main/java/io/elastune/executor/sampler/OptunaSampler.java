package io.elastune.executor.sampler;

import io.elastune.core.NullValue;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.ConfigurationCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a study of Optuna in a Python process. The process keeps no state: each request holds all
 * results. A process that ends, does not reply in time, or replies nonsense is replaced once for
 * each request.
 */
public final class OptunaSampler implements ConfigurationSampler {
  private static final String BRIDGE = "optuna_bridge.py";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SEED_BITS = 0x7fffffff;

  private final Search search;
  private final SamplerOptions options;
  private final SamplerSpace space;
  private final Path folder;
  private @Nullable SamplerProcess process;

  /**
   * Creates a sampler that has started no process.
   *
   * @param folder the folder for the bridge and the log of its process
   */
  public OptunaSampler(Search search, Path folder) {
    this.search = search;
    this.options = search.sampler().orElse(SamplerOptions.DEFAULT);
    this.space = new SamplerSpace(search.space());
    this.folder = folder;
  }

  @Override
  public synchronized List<String> propose(SamplerRequest request)
      throws SamplerException, InterruptedException {
    String line = JSON.writeValueAsString(written(request));
    try {
      return ask(line, request);
    } catch (SamplerException e) {
      close();
      return ask(line, request);
    }
  }

  private List<String> ask(String line, SamplerRequest request)
      throws SamplerException, InterruptedException {
    SamplerProcess asked = process;
    if (asked == null) {
      asked = SamplerProcess.start(options.python(), script(), folder.resolve("sampler.log"));
      process = asked;
    }
    return configurations(asked.ask(line, options.timeout()), request);
  }

  private Path script() throws SamplerException {
    Path script = folder.resolve(BRIDGE);
    try (InputStream source = OptunaSampler.class.getResourceAsStream(BRIDGE)) {
      if (source == null) {
        throw new IllegalStateException(BRIDGE + " is missing");
      }
      Files.copy(source, script, StandardCopyOption.REPLACE_EXISTING);
      return script;
    } catch (IOException e) {
      throw new SamplerException(script + " cannot be written: " + e.getMessage());
    }
  }

  private List<String> configurations(String reply, SamplerRequest request)
      throws SamplerException {
    JsonNode node = parse(reply);
    if (node.path("id").asInt(-1) != request.number()) {
      throw new SamplerException("its reply does not belong to the request");
    }
    if (node.has("error")) {
      throw new SamplerException(node.path("error").asString("unknown error"));
    }
    List<String> configs = new ArrayList<>();
    for (JsonNode config : node.path("configs")) {
      configs.add(ConfigurationCodec.write(space.read(config)));
    }
    if (configs.size() != request.count()) {
      throw new SamplerException(
          "it proposed " + configs.size() + " of " + request.count() + " configurations");
    }
    return configs;
  }

  private static JsonNode parse(String reply) throws SamplerException {
    try {
      return JSON.readTree(reply);
    } catch (JacksonException e) {
      throw new SamplerException("its reply is not JSON: " + e.getOriginalMessage());
    }
  }

  private ObjectNode written(SamplerRequest request) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", request.number());
    node.put("sampler", options.sampler().word());
    node.put("startup", options.startup());
    ObjectNode given = node.putObject("options");
    options
        .options()
        .forEach((name, value) -> given.set(name, JSON.valueToTree(NullValue.toJava(value))));
    node.put("seed", seed(request.number()));
    node.put("goal", search.metric().goal().name().toLowerCase(Locale.ROOT));
    node.put("count", request.count());
    space.write(node.putArray("parameters"));
    ArrayNode results = node.putArray("results");
    request.results().forEach(result -> write(results.addObject(), result));
    return node;
  }

  private long seed(int request) {
    return RandomStreams.of(search.seed()).at("sampler").at(request).open().nextLong() & SEED_BITS;
  }

  private void write(ObjectNode node, SamplerRequest.Result result) {
    space.write(node.putObject("config"), result.config());
    OptionalDouble metric = result.metric();
    if (result.failed()) {
      node.put("state", "pruned"); // without a value: worse than all others
    } else if (metric.isEmpty()) {
      node.put("state", "running");
    } else {
      boolean complete = result.unit() >= search.resource().max();
      node.put("state", complete ? "complete" : "pruned");
      node.put("unit", result.unit()).put("value", metric.getAsDouble());
    }
  }

  /** Ends the process; the next request starts another one. */
  @Override
  public synchronized void close() {
    if (process != null) {
      process.close();
      process = null;
    }
  }
}
