package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Tests {@code plan --html} and {@code estimate --html}. */
class PlanPageTest {
  private static final String IMAGE = "data:image/svg+xml;base64,";

  @TempDir Path folder;

  private String html(int exit, String... options) throws IOException {
    return html("plan", exit, options);
  }

  private String html(String command, int exit, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command, "job.yaml"));
    Path file = folder.resolve("plan.html");
    arguments.addAll(List.of("--html", file.toString()));
    arguments.addAll(List.of(options));
    InProcessCli.Result result =
        InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
            .run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.out() + result.err()).contains("Page saved to ");
    return Files.readString(file);
  }

  private static Document parsed(String html) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(html.replace("<!DOCTYPE html>", ""))));
  }

  private static List<String> texts(Document document, String name) {
    NodeList found = document.getElementsByTagName(name);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(found.item(i).getTextContent());
    }
    return texts;
  }

  @Test
  void pageHasTheTableTheTotalsAndTheChart() throws Exception {
    Document document = parsed(html(0));

    assertThat(texts(document, "h1")).containsExactly("Plan for worked-example");
    assertThat(texts(document, "p").get(0)).startsWith("prices ").contains(" · profile ");
    assertThat(texts(document, "h2")).containsExactly("Trial groups");
    assertThat(texts(document, "td")).contains("2 × p3.8xlarge");
    assertThat(texts(document, "p")).anyMatch(line -> line.startsWith("finish ~5m39s"));
    String source = ((Element) document.getElementsByTagName("img").item(0)).getAttribute("src");
    assertThat(source).startsWith(IMAGE);
    String chart =
        new String(
            Base64.getDecoder().decode(source.substring(IMAGE.length())), StandardCharsets.UTF_8);
    assertThat(chart).startsWith("<svg").contains("this plan: ~5m39s for ~$1.72");
  }

  @Test
  void fragmentIsTheBodyOfThePage() throws Exception {
    String page = html(0, "--frontier");
    String fragment = html(0, "--frontier", "--fragment");

    assertThat(texts(parsed(page), "h2")).containsExactly("Trial groups", "Time–cost frontier");
    assertThat(fragment).startsWith("<div class=\"elastune\">").doesNotContain("<body", "<html");
    assertThat(page)
        .contains(fragment.substring(fragment.indexOf("<h1>"), fragment.lastIndexOf("</div>")));
  }

  @Test
  void comparisonHasTheTableAndTheRemarksOfTheScreen() throws Exception {
    String[] options = {"--unit-time", "30s@V100", "--deadline", "400s,20m", "--budget", "0.01,50"};
    String page = html("estimate", 0, options);
    Document document = parsed(page);
    List<String> withFragment = new ArrayList<>(List.of(options));
    withFragment.add("--fragment");
    String fragment = html("estimate", 0, withFragment.toArray(String[]::new));

    assertThat(texts(document, "h1")).containsExactly("Estimate for worked-example");
    assertThat(texts(document, "p").get(1)).startsWith("assumed: epoch 30s on one V100");
    assertThat(texts(document, "td")).contains("$0.0100", "20m").anyMatch(t -> t.startsWith("~$"));
    assertThat(texts(document, "li"))
        .anyMatch(line -> line.startsWith("cheapest: aws/us-east-1 on-demand for ~$"));
    assertThat(page)
        .contains(fragment.substring(fragment.indexOf("<h1>"), fragment.lastIndexOf("</div>")));
  }

  @Test
  void pageOfMissedLimitsHasTheReasonsAndTheFrontier() throws Exception {
    Document document = parsed(html(10, "--budget", "0.50", "--frontier"));

    assertThat(texts(document, "h1")).containsExactly("No plan for worked-example");
    assertThat(texts(document, "p")).anyMatch(line -> line.contains("budget is ~$"));
    assertThat(texts(document, "h2")).containsExactly("Time–cost frontier");
    assertThat(document.getElementsByTagName("img").getLength()).isOne();
  }
}
