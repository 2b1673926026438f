package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Tests {@code report --html}. */
class ReportPageTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;
  private Path home = Path.of("");
  private Path page = Path.of("");
  private InProcessCli inProcessCli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    page = folder.resolve("report.html");
    inProcessCli = new InProcessCli(folder);
  }

  @Test
  void showsTimelineCostResultsAndDecisions() throws Exception {
    Document document = finishedPage();

    assertThat(texts(document, "h1")).containsExactly(RUN);
    assertThat(texts(document, "h2"))
        .containsExactly(
            "Instances and trials",
            "Cost over time",
            "Learning curves",
            "Hyperparameters and metric",
            "Predicted and actual",
            "Best trials",
            "Decisions",
            "Faults of trials");
    assertThat(texts(document, "b")).containsExactly("35s", "$0.53", "0.43", "4 in total");
    assertThat(texts(document, "td"))
        .contains("-13%", "lr 0.004, batch 128", "exit 1: ValueError: lr is too small")
        .contains(
            "promote",
            "2 of 3 trials of group 1 continue: 2 with 0.21, 4 with 0.41; next best 0.11");
    assertThat(texts(document, "text"))
        .contains(
            "instance 1", "instance 2", "end of 1", "end of 2", "deadline 1m", "30s", "epoch");
  }

  @Test
  void drawsEveryAttemptOnItsInstance() throws Exception {
    Document document = finishedPage();

    // Two instances; four trials in the first group, of which one fails and is retried; two in the
    // second.
    assertThat(shapes(document, "rect", "held")).hasSize(2);
    assertThat(shapes(document, "rect", "failed")).hasSize(2);
    assertThat(shapes(document, "rect", "best")).hasSize(2);
    assertThat(shapes(document, "rect", "trial")).hasSize(3);
    assertThat(texts(document, "title"))
        .contains(
            "small-20261123-aaaa-2, local/duo/on-demand: ready for 31s",
            "trial 4, group 1, epoch 0 to 1, 1 worker: 10s");
    for (Element trial : shapes(document, "rect", "trial")) {
      assertThat(shapes(document, "rect", "held")).anyMatch(held -> isWithin(trial, held));
    }
  }

  private static boolean isWithin(Element inner, Element outer) {
    return number(inner, "x") >= number(outer, "x") - 0.1
        && number(inner, "x") + number(inner, "width")
            <= number(outer, "x") + number(outer, "width") + 0.1
        && number(inner, "y") >= number(outer, "y")
        && number(inner, "y") + number(inner, "height")
            <= number(outer, "y") + number(outer, "height");
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void pageIsSelfContained() throws Exception {
    finishedPage();
    assertThat(Files.readString(page))
        .doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
  }

  /** A notebook shows what the page begins with, and its styles apply to nothing else. */
  @Test
  void pageConsistsOfTheFragmentAndTheTables() throws Exception {
    finishedPage();
    String whole = Files.readString(page);
    Path part = folder.resolve("part.html");

    InProcessCli.Result result =
        inProcessCli.run("report", RUN, "--html", part.toString(), "--fragment");

    assertThat(result.exit()).as(result.err()).isZero();
    String fragment = Files.readString(part);
    assertThat(fragment)
        .startsWith("<div class=\"elastune\">\n<style>\n")
        .contains("<h1>", "class=\"cards\"", "<svg")
        .doesNotContain("<html", "<body", "<table", "http:", "https:", "<script", "url(");
    String body = fragment.substring(fragment.indexOf("<h1>"), fragment.lastIndexOf("</div>"));
    assertThat(whole).contains("<body class=\"elastune\">\n" + body + "<h2>");
    String style =
        fragment.substring(fragment.indexOf("<style>") + 8, fragment.indexOf("</style>"));
    assertThat(style.lines().filter(line -> line.endsWith("}") && line.contains(" { ")))
        .isNotEmpty()
        .allMatch(line -> line.startsWith(".elastune"));
  }

  @Test
  void fragmentNeedsAFile() {
    assertThat(inProcessCli.run("report", "--fragment").err())
        .startsWith("--fragment: requires --html");
  }

  @Test
  void rewritesPageUntilTheRunIsOver() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.until(16);
      CompletableFuture<InProcessCli.Result> watching =
          CompletableFuture.supplyAsync(
              () -> inProcessCli.run("report", RUN, "--watch", "--html", page.toString()));
      await(() -> Files.exists(page));
      String early = Files.readString(page);
      assertThat(early).contains("http-equiv=\"refresh\"", "end of 1").doesNotContain("end of 2");
      run.toTheEnd();

      assertThat(watching.get(30, TimeUnit.SECONDS).exit()).isZero();
      assertThat(Files.readString(page)).contains("end of 2").doesNotContain("refresh");
      assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (!condition.holds()) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(20);
    }
  }

  @Test
  void rejectsMissingOptionsAndFolders() {
    InProcessCli.Result alone = inProcessCli.run("report", "--watch");
    assertThat(alone.exit()).isEqualTo(2);
    assertThat(alone.err()).contains("--watch: requires --html");

    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.toTheEnd();
    }
    InProcessCli.Result nowhere =
        inProcessCli.run("report", "--html", folder + "/nowhere/report.html");
    assertThat(nowhere.exit()).isEqualTo(2);
    assertThat(nowhere.err()).contains("nowhere/report.html: no such file or folder");
  }

  @Test
  void browserRendersPage() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("chromium"), "chromium is not installed");
    finishedPage();
    List<String> command =
        new ArrayList<>(
            List.of("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"));
    command.addAll(List.of("--no-first-run", "--disable-background-networking", "--disable-sync"));
    command.addAll(List.of("--disable-component-update", "--window-size=390,844"));
    command.add("--user-data-dir=" + folder.resolve("browser"));
    // Dumps the page as the browser renders it, in a window of the size of a phone, with errors on
    // stderr.
    command.addAll(List.of("--enable-logging=stderr", "--dump-dom", page.toUri().toString()));
    String shown =
        ExternalPrograms.output(
            folder, Map.of("HOME", folder.toString()), command.toArray(String[]::new));

    assertThat(shown).contains("<h2>Learning curves</h2>", "</svg>").doesNotContain("CONSOLE");
    assertThat(shown.split("<svg", -1)).hasSize(5);
  }

  /** One line for each trial with a metric, and again for the best ones; a legend names them. */
  @Test
  void drawsHyperparametersOfEveryTrial() throws Exception {
    Document document = finishedPage();

    assertThat(texts(document, "text")).contains("lr", "batch", "acc");
    assertThat(texts(document, "title"))
        .contains(
            "trial 4: acc 0.43; lr 0.004, batch 128", "trial 1: acc 0.11; lr 0.001, batch 32");
    assertThat(texts(document, "p"))
        .anyMatch(text -> text.contains("trial 4 (0.43)") && text.contains("at epoch 1"))
        .anyMatch(text -> text.contains("not drawn: 1 without a metric"));
    assertThat(Files.readString(page)).doesNotContain("Simulated run");
  }

  private Document finishedPage() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.toTheEnd();
    }
    InProcessCli.Result result = inProcessCli.run("report", RUN, "--html", page.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).contains("Report saved as " + page);
    String html = Files.readString(page);
    assertThat(html).startsWith("<!DOCTYPE html>\n");
    // Valid XML is stricter than HTML requires, so browsers parse it the same way.
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(html.substring(html.indexOf('\n')).strip())));
  }

  private static List<String> texts(Document document, String tag) {
    return elements(document, tag).stream().map(Element::getTextContent).toList();
  }

  private static List<Element> shapes(Document document, String tag, String style) {
    return elements(document, tag).stream()
        .filter(element -> element.getAttribute("class").equals(style))
        .toList();
  }

  private static List<Element> elements(Document document, String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}
