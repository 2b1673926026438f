package io.elastune.cli.imports;

import io.elastune.core.ShellWord;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a sweep of W&B. */
final class SweepImport {
  private static final Set<String> READ =
      Set.of("program", "method", "metric", "parameters", "name", "command", "run_cap");
  private static final List<String> MARKS =
      List.of("method", "program", "metric", "run_cap", "early_terminate", "scheduler", "job");
  private static final Pattern MACRO = Pattern.compile("\\$\\{([a-z_]+)(?::(\\w+))?}");

  private final ImportedSearch search = new ImportedSearch("a W&B sweep");
  private final MapNode root;

  private SweepImport(MapNode root) {
    this.root = root;
  }

  /** Returns whether a file is a sweep. */
  static boolean accepts(MapNode root) {
    return FileTree.map(root, "parameters").isPresent()
        && MARKS.stream().anyMatch(name -> root.find(name).isPresent());
  }

  /** Reads a sweep. */
  static ImportedSearch read(MapNode root) {
    SweepImport sweep = new SweepImport(root);
    sweep.read();
    return sweep.search;
  }

  private void read() {
    FileTree.text(root, "name").ifPresent(search::name);
    method();
    metric();
    FileTree.node(root, "run_cap").ifPresent(search::trials);
    FileTree.map(root, "parameters").ifPresent(map -> parameters("", map));
    command();
    for (MapEntry entry : root.entries().values()) {
      if (!READ.contains(entry.name())) {
        search.note(entry.place().line(), entry.name(), reason(entry.name()));
      }
    }
  }

  private static String reason(String field) {
    return switch (field) {
      case "early_terminate" ->
          "W&B stops bad runs by their logged metric; here, algorithm asha does, with search.eta and"
              + " search.resource, if the program reports and saves checkpoints";
      case "project", "entity", "description" ->
          "belongs to the pages of W&B; docs/trackers.md explains how trials log to them";
      default -> "a setting of W&B without a counterpart";
    };
  }

  private void method() {
    Optional<YamlNode> method = FileTree.node(root, "method");
    String text = FileTree.text(root, "method").orElse("");
    if (text.equals("grid")) {
      root.find("run_cap")
          .ifPresentOrElse(
              cap ->
                  search.note(
                      cap.place().line(),
                      "run_cap",
                      "a grid here tries every combination: with a limit, they are drawn, none"
                          + " twice"),
              () -> search.grid(1));
    } else if (!text.equals("random") && method.isPresent()) {
      search.note(
          method.get(),
          text.equals("bayes")
              ? "configurations are random here; search.sampler: {type: optuna} proposes them from"
                  + " results, and needs Optuna"
              : "no method of a job file: configurations are random");
    }
  }

  private void metric() {
    Optional<MapNode> metric = FileTree.map(root, "metric");
    if (metric.isEmpty()) {
      search.note(0, "metric", "is not in the file: set search.metric");
      return;
    }
    FileTree.text(metric.get(), "name").ifPresent(search::metric);
    search.maximize(
        FileTree.text(metric.get(), "goal").orElse("").toLowerCase(Locale.ROOT).startsWith("max"));
    FileTree.number(metric.get(), "target")
        .ifPresent(target -> search.stop("target", target.text()));
    FileTree.node(metric.get(), "name").ifPresent(node -> search.from("search.metric.name", node));
    metric.get().entries().values().stream()
        .filter(entry -> !Set.of("name", "goal", "target").contains(entry.name()))
        .forEach(entry -> search.note(entry.value(), "a setting of W&B without a counterpart"));
  }

  private void parameters(String prefix, MapNode map) {
    for (MapEntry entry : map.entries().values()) {
      String name = prefix + entry.name();
      if (!(entry.value() instanceof MapNode parameter)) {
        search.note(entry.value(), "is no parameter of W&B: left out");
      } else if (FileTree.map(parameter, "parameters").isPresent()) {
        parameters(name + ".", FileTree.map(parameter, "parameters").orElseThrow());
      } else {
        parameter(name, parameter, entry.place().line());
      }
    }
  }

  private void parameter(String name, MapNode parameter, int line) {
    Optional<YamlNode> value = FileTree.node(parameter, "value");
    if (value.isPresent()) {
      search
          .values(List.of(value.get()))
          .forEach(text -> search.add(name, line, SpaceText.constant(text)));
    } else if (parameter.find("values").isPresent()) {
      values(name, parameter, line);
    } else {
      distribution(name, parameter, line);
    }
  }

  private void values(String name, MapNode parameter, int line) {
    List<String> values = search.values(FileTree.list(parameter, "values"));
    FileTree.node(parameter, "probabilities")
        .ifPresent(node -> search.note(node, "all values are equally likely here"));
    if (values.isEmpty()) {
      search.note(line, name, "has no values: left out");
    } else {
      search.add(name, line, SpaceText.choice(values));
    }
  }

  private void distribution(String name, MapNode parameter, int line) {
    Optional<FileNumber> low = FileTree.number(parameter, "min");
    Optional<FileNumber> high = FileTree.number(parameter, "max");
    boolean whole =
        low.isPresent() && low.get().isWhole() && high.filter(FileNumber::isWhole).isPresent();
    String kind =
        FileTree.text(parameter, "distribution").orElse(whole ? "int_uniform" : "uniform");
    boolean quantized = kind.startsWith("q_");
    Optional<FileNumber> step =
        quantized
            ? FileTree.number(parameter, "q").or(() -> Optional.of(FileNumber.of(1)))
            : Optional.empty();
    String plain = quantized ? kind.substring(2) : kind;
    if (plain.equals("normal") || plain.equals("log_normal")) {
      search.add(
          name,
          line,
          SpaceText.normal(
              plain.equals("log_normal"),
              FileTree.number(parameter, "mu").orElse(FileNumber.of(0)),
              FileTree.number(parameter, "sigma").orElse(FileNumber.of(1)),
              step));
      return;
    }
    if (plain.equals("beta")) {
      search.note(line, name, "a beta distribution has no counterpart: left out");
      return;
    }
    if (low.isEmpty() || high.isEmpty()) {
      search.note(line, name, "min and max of " + kind + " are no numbers: left out");
      return;
    }
    boolean integer =
        plain.equals("int_uniform") || (whole && step.filter(FileNumber::isWhole).isPresent());
    switch (plain) {
      case "uniform", "int_uniform" ->
          search.add(name, line, SpaceText.range(integer, false, low.get(), high.get(), step));
      // The logarithm of 1/x is uniform where that of x is.
      case "log_uniform_values", "inv_log_uniform_values" ->
          search.add(name, line, SpaceText.range(integer, true, low.get(), high.get(), step));
      case "log_uniform" -> exponents(name, line, low.get().value(), high.get().value(), step);
      case "inv_log_uniform" ->
          exponents(name, line, -high.get().value(), -low.get().value(), step);
      default -> {
        search.note(line, name, "no distribution of W&B: " + kind + "; the scale is linear here");
        search.add(name, line, SpaceText.range(false, false, low.get(), high.get(), step));
      }
    }
    quantized(name, line, low.get(), step);
  }

  private void exponents(
      String name, int line, double low, double high, Optional<FileNumber> step) {
    FileNumber first = FileNumber.of(Math.exp(low));
    FileNumber last = FileNumber.of(Math.exp(high));
    search.add(name, line, SpaceText.range(false, true, first, last, step));
    search.note(
        line, name, "min and max are exponents of e in W&B: the values are computed from them");
  }

  /** W&B rounds to multiples of q; a step counts from the lowest value. */
  private void quantized(String name, int line, FileNumber low, Optional<FileNumber> step) {
    step.filter(size -> size.value() > 0)
        .filter(
            size -> {
              double times = low.value() / size.value();
              return Math.abs(times - Math.rint(times)) > 1e-9;
            })
        .ifPresent(
            size ->
                search.note(
                    line, name, "W&B rounds to multiples of q; values here are min, min + q, …"));
  }

  private void command() {
    String program = FileTree.text(root, "program").orElse("");
    Optional<MapEntry> command = root.find("command");
    if (command.isPresent() && command.get().value() instanceof ListNode list) {
      List<String> words = new ArrayList<>();
      for (YamlNode item : list.items()) {
        if (item instanceof ScalarNode word) {
          // Each item is one word: W&B starts no shell.
          boolean macro = MACRO.matcher(word.text()).find();
          String text = macro ? replaced(word, program) : ShellWord.of(word.text());
          if (!text.isEmpty()) {
            words.add(text);
          }
        } else {
          search.note(item, "is no word of a command: left out");
        }
      }
      search.run(String.join(" ", words));
    } else if (!program.isEmpty()) {
      search.run((program.endsWith(".py") ? "python " : "") + ShellWord.of(program) + " {args}");
    }
  }

  /** Returns a word of the command with the placeholders of a job file. */
  private String replaced(ScalarNode word, String program) {
    Matcher macro = MACRO.matcher(word.text());
    return macro.replaceAll(
        found ->
            Matcher.quoteReplacement(
                switch (found.group(1)) {
                  case "env" -> "";
                  case "interpreter" -> "python";
                  case "program" -> ShellWord.of(program);
                  case "args" -> "{args}";
                  case "args_no_boolean_flags" -> "{args_no_boolean_flags}";
                  case "args_no_hyphens" -> withoutHyphens();
                  case "envvar" -> "$" + Optional.ofNullable(found.group(2)).orElse("");
                  default -> {
                    search.note(word, "has no counterpart: the command has {args} instead");
                    yield "{args}";
                  }
                }));
  }

  private String withoutHyphens() {
    StringBuilder words = new StringBuilder();
    for (Map.Entry<String, ImportedSearch.Entry> entry : search.space().entrySet()) {
      words.append(words.length() == 0 ? "" : " ").append(entry.getKey()).append("={");
      words.append(entry.getKey()).append('}');
    }
    return words.toString();
  }
}
