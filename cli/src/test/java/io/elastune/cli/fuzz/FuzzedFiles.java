package io.elastune.cli.fuzz;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.OffersFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.PlanFile;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Chain;
import io.elastune.core.search.TrialGroups;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of one job, mutated from those of a rehearsal by one seed. */
final class FuzzedFiles {
  static final String JOB = "job.yaml";
  static final String PLAN = "plan.json";
  static final String CLOUDS = "clouds.yaml";
  private static final String PROFILE = "profile.yaml";
  private static final String OFFERS = "offers.yaml";

  private static final Path CONFIGS = ExampleFiles.REPOSITORY.resolve("configs");
  private static final Path REHEARSALS = CONFIGS.resolve("rehearsal");
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int MOST_TRIALS = 16;

  /** Plans with thousands of instances for a few trials are sampled for minutes. */
  private static final int MOST_INSTANCES = 400;

  /** Most units that are rehearsed one by one. */
  private static final int MOST_UNITS = 5_000;

  /** Jobs with their profiles and offers. */
  private static final List<List<String>> BASES =
      List.of(
          List.of("halving.yaml", PROFILE, OFFERS),
          List.of("hyperband.yaml", PROFILE, OFFERS),
          List.of("asha.yaml", PROFILE, OFFERS),
          List.of("pbt.yaml", PROFILE, OFFERS),
          List.of("random.yaml", PROFILE, OFFERS),
          List.of("teams.yaml", PROFILE, OFFERS),
          List.of("sharing.yaml", "profile-sharing.yaml", OFFERS),
          List.of("spot.yaml", PROFILE, "offers-spot.yaml"),
          List.of("storms.yaml", PROFILE, "offers-storms.yaml"));

  private static final Map<String, JsonNode> SCHEMAS = schemas();

  private static final Map<String, Function<String, ParseResult<?>>> PARSERS =
      Map.of(
          JOB, text -> JobFile.parse(JOB, text, Overrides.NONE),
          PROFILE, text -> ProfileFile.parse(PROFILE, text),
          OFFERS, text -> OffersFile.parse(OFFERS, text),
          PLAN, text -> PlanFile.parse(PLAN, text));

  private final SplittableRandom random;
  private final FileMutations mutations;
  private final Map<String, ObjectNode> trees = new TreeMap<>();

  /** What is written instead of a tree. */
  private final Map<String, byte[]> spoilt = new TreeMap<>();

  FuzzedFiles(long seed) throws IOException {
    random = new SplittableRandom(seed);
    mutations = new FileMutations(random);
    List<String> base = BASES.get(random.nextInt(BASES.size()));
    ObjectNode job = tree(REHEARSALS.resolve(base.get(0)));
    ObjectNode search = (ObjectNode) job.path("search");
    search.put("trials", 2 + random.nextInt(MOST_TRIALS - 1));
    ObjectNode resource = (ObjectNode) search.path("resource");
    boolean hyperband = search.path("algorithm").asString().equals("hyperband");
    resource.put("max", hyperband ? 4 : Math.min(resource.path("max").asInt(), 32));
    search.remove(hyperband ? "trials" : "none");
    if (hyperband) {
      search.put("eta", 2);
    }
    relax(job);
    ((ObjectNode) job.path("resources")).put("offers", OFFERS);
    job.set("profile", JSON.createObjectNode().put("file", PROFILE));
    trees.put(JOB, job);
    trees.put(PROFILE, tree(REHEARSALS.resolve(base.get(1))));
    trees.put(OFFERS, tree(REHEARSALS.resolve(base.get(2))));
    trees.put(CLOUDS, tree(CONFIGS.resolve("examples/clouds.yaml")));
  }

  /** Adds a plan of the job, to be mutated too. */
  void addPlan(Path file) throws IOException {
    trees.put(PLAN, tree(file));
  }

  /** Sets one to four fields to other values, so that each file stays valid by its own rules. */
  void change() {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      List<String> names = List.of(JOB, JOB, JOB, PROFILE, OFFERS);
      changeValidly(names.get(random.nextInt(names.size())));
    }
    if (random.nextInt(3) > 0) {
      relax(trees.get(JOB));
    }
  }

  /** Sets limits that most jobs meet again, so that most of them get a plan. */
  private static void relax(ObjectNode job) {
    job.put("deadline", "30d").set("budget", JSON.createObjectNode().put("usd", 100_000));
  }

  void changePlan() {
    changeValidly(PLAN);
  }

  private void changeValidly(String name) {
    ObjectNode before = trees.get(name);
    for (int attempt = 0; attempt < 50; attempt++) {
      ObjectNode after = before.deepCopy();
      mutations.change(after, SCHEMAS.get(name));
      if (isValid(name, text(after))) {
        trees.put(name, after);
        return;
      }
    }
  }

  private static boolean isValid(String name, String text) {
    ParseResult<?> parsed = PARSERS.get(name).apply(text);
    return parsed.problems().isEmpty()
        && (!(parsed.orThrow() instanceof Job job)
            || (trials(job) <= MOST_TRIALS && job.resources().maxInstances() <= MOST_INSTANCES));
  }

  private static int trials(Job job) {
    int started =
        TrialGroups.of(job.search()).chains().stream()
            .map(Chain::groups)
            .mapToInt(groups -> groups.get(0).trials())
            .sum();
    return Math.max(job.search().trials(), started);
  }

  /** Breaks one file. Returns its name. */
  String spoil() {
    List<String> names = List.copyOf(trees.keySet());
    String name = names.get(random.nextInt(names.size()));
    ObjectNode tree = trees.get(name);
    if (random.nextInt(3) > 0) {
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        mutations.spoil(tree);
      }
      return name;
    }
    String text = mutations.spoilText(text(tree));
    spoilt.put(
        name,
        switch (random.nextInt(12)) {
          case 0 -> text.getBytes(StandardCharsets.UTF_16);
          case 1 -> text.getBytes(StandardCharsets.ISO_8859_1);
          case 2 -> (text + "\n---\n" + text).getBytes(StandardCharsets.UTF_8);
          case 3 -> bomb().getBytes(StandardCharsets.UTF_8);
          default -> text.getBytes(StandardCharsets.UTF_8);
        });
    return name;
  }

  /** Returns a document that aliases expand to a billion values. */
  private static String bomb() {
    StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
      String inner = "*a" + (i - 1);
      text.append(
          "a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", List.of(inner, inner, inner))));
    }
    return text.toString();
  }

  /** Returns whether a rehearsal, which executes each unit, is short. */
  boolean isShort() {
    Optional<Job> job =
        Optional.of(JobFile.parse(JOB, text(trees.get(JOB)), Overrides.NONE).orThrow());
    return job.filter(it -> (long) trials(it) * it.search().resource().max() <= MOST_UNITS)
        .isPresent();
  }

  void write(Path folder) throws IOException {
    for (Map.Entry<String, ObjectNode> tree : trees.entrySet()) {
      byte[] bytes = text(tree.getValue()).getBytes(StandardCharsets.UTF_8);
      Files.write(folder.resolve(tree.getKey()), spoilt.getOrDefault(tree.getKey(), bytes));
    }
  }

  private static String text(ObjectNode tree) {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
  }

  private static ObjectNode tree(Path file) throws IOException {
    return (ObjectNode) YAML.readTree(Files.readString(file));
  }

  private static Map<String, JsonNode> schemas() {
    Map<String, JsonNode> all = new TreeMap<>();
    for (String name : List.of(JOB, PROFILE, OFFERS, PLAN)) {
      String kind = name.substring(0, name.indexOf('.'));
      Path file = ExampleFiles.REPOSITORY.resolve("docs/schema/" + kind + ".schema.json");
      all.put(name, JSON.readTree(file));
    }
    return all;
  }
}
