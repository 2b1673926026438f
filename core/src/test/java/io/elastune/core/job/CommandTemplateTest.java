package io.elastune.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.NullValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTemplateTest {
  private static final Map<String, Object> CONFIG = config();

  private static Map<String, Object> config() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("lr", 0.00003);
    config.put("hidden", 64L);
    config.put("opt", "it's a $HOME \"x\"");
    config.put("model.layers", List.of(64L, 0.5, "a b"));
    config.put("flag", true);
    config.put("none", NullValue.NULL);
    return config;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "python train.py --lr {lr} | python train.py --lr 3e-05",
        "train --hidden={hidden} lr={lr} | train --hidden=64 lr=3e-05",
        "train {flag} {none} | train true null",
        "train \"--lr={lr}\" '{hidden}' | train \"--lr=3e-05\" '64'",
        "train {lr} ${lr} ${X} ${{lr}} | train 3e-05 ${lr} ${X} ${{lr}}",
        "train {lr} {{lr}} {{print}} {{lr} | train 3e-05 {lr} {print} {lr}",
        "echo {{lr}} | echo {lr}",
        "train {lr} {{.Names}} {} {a,b} {1..3} | train 3e-05 {{.Names}} {} {a,b} {1..3}",
        "train {lr} > {absent} | train 3e-05 > ''",
        "train {lr} # {lr} don't | train 3e-05 # {lr} don't",
      })
  void replacesKnownNamesOnly(String command, String expected) {
    Set<String> names = new HashSet<>(CONFIG.keySet());
    names.add("absent");

    assertThat(new CommandTemplate(command).expand(CONFIG, names)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "python train.py",
        "awk '{print}' log",
        "docker inspect --format '{{.State}} {{print}}' x",
        "echo ${lr} {other} {{other}}",
      })
  void commandWithoutKnownNamesStaysAsItIs(String command) {
    CommandTemplate template = new CommandTemplate(command);

    assertThat(template.expand(CONFIG, CONFIG.keySet())).isEqualTo(command);
    assertThat(template.unknownNames(CONFIG.keySet(), name -> true)).isEmpty();
  }

  @Test
  void argsAreAllHyperparametersAsOptions() {
    assertThat(new CommandTemplate("train {args} -v").expand(CONFIG, CONFIG.keySet()))
        .isEqualTo(
            "train --lr=3e-05 --hidden=64 '--opt=it'\\''s a $HOME \"x\"'"
                + " '--model.layers=[64,0.5,\"a b\"]' --flag=true -v");
  }

  @Test
  void booleansAreFlagsIfTheCommandAsksForIt() {
    Map<String, Object> config = new LinkedHashMap<>(CONFIG);
    config.put("use-bn", false);
    config.put("text", "false");
    CommandTemplate template = new CommandTemplate("train {args_no_boolean_flags} -v");

    assertThat(template.expand(config, config.keySet()))
        .isEqualTo(
            "train --lr=3e-05 --hidden=64 '--opt=it'\\''s a $HOME \"x\"'"
                + " '--model.layers=[64,0.5,\"a b\"]' --flag --text=false -v");
    assertThat(template.isTemplate(Set.of())).isTrue();
    assertThat(template.unknownNames(Set.of(), name -> true)).isEmpty();
    assertThat(
            new CommandTemplate("sh -c 'train {args_no_boolean_flags}' ${args_no_boolean_flags}")
                .expand(Map.of("x", "a b", "y", true), Set.of("x", "y")))
        .startsWith("sh -c 'train ")
        .contains("--y")
        .endsWith(" ${args_no_boolean_flags}");
  }

  @Test
  void unknownNamesAreFoundBesideKnownOnes() {
    CommandTemplate template = new CommandTemplate("train {lr} {hiden} | awk '{print}' '{hiden}'");

    assertThat(template.unknownNames(CONFIG.keySet(), "hiden"::equals)).containsExactly("hiden");
    assertThat(template.unknownNames(CONFIG.keySet(), name -> false)).containsExactly("hiden");
    assertThat(
            new CommandTemplate("train {args} {{x}} ${y}")
                .unknownNames(CONFIG.keySet(), name -> true))
        .isEmpty();
  }

  @Test
  void numbersAreThoseOfPython() {
    Map<Double, String> texts =
        Map.of(
            1.0,
            "1.0",
            0.1,
            "0.1",
            1e-4,
            "0.0001",
            1e-5,
            "1e-05",
            -2.5e-7,
            "-2.5e-07",
            1e15,
            "1000000000000000.0",
            1e16,
            "1e+16",
            0.0,
            "0.0",
            123456.789,
            "123456.789");
    texts.forEach(
        (value, text) ->
            assertThat(new CommandTemplate("{x}").expand(Map.of("x", value), Set.of("x")))
                .isEqualTo(text));
  }

  /** Whatever the value is, the shell gives exactly this text to the program. */
  @Test
  void shellReadsEveryValueAsItIs() throws IOException, InterruptedException {
    Random random = new Random(7); // the same values in every run
    String letters = "ab '\"$`\\!*?~#;&|<>(){}\t\n-=é";
    StringBuilder script = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(9); length > 0; length--) {
        value.append(letters.charAt(random.nextInt(letters.length())));
      }
      Map<String, Object> config = Map.of("x", value.toString());
      String template =
          "printf '%s\\0' {x} \"a{x}\" 'b{x}' {args} \"$(printf '%s.' {x})\"; # don't {x}\n";
      script.append(new CommandTemplate(template).expand(config, Set.of("x")));
      expected.addAll(
          List.of(value.toString(), "a" + value, "b" + value, "--x=" + value, value + "."));
    }
    Process shell = new ProcessBuilder("sh", "-c", script.toString()).start();
    String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(shell.waitFor()).isZero();
    assertThat(List.of(output.split("\0", -1)).subList(0, expected.size())).isEqualTo(expected);
  }

  @Test
  void documentsGetValuesAsTheyAre() throws IOException, InterruptedException {
    String template =
        """
        cat <<EOF
        lr: {lr}, don't: {opt}
        EOF
        cat <<-'END' ; echo {opt}
        \t{opt} $X
        \tEND
        echo {lr}
        """;
    Process shell =
        new ProcessBuilder(
                "sh", "-c", new CommandTemplate(template).expand(CONFIG, CONFIG.keySet()))
            .start();
    String opt = "it's a $HOME \"x\"";

    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("lr: 3e-05, don't: " + opt + "\n" + opt + " $X\n" + opt + "\n3e-05\n");
    assertThat(shell.waitFor()).isZero();
  }
}
