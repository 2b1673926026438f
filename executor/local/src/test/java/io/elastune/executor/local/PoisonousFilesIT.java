package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.EngineEvent.Ended;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every attempt ends, and the next one continues, whatever files a trial leaves. */
class PoisonousFilesIT extends LocalEngineTestBase {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir 2; printf '{\"unit\": 2, \"files\": [{\"name\": \"a\\\\u0000b\", \"size\": 1,"
            + " \"sha256\": \"x\"}]}' > 2/manifest.json",
        "mkdir 2; truncate -s 3G 2/manifest.json",
        "mkdir -p 9.tmp/x; chmod 0 9.tmp/x",
        "mkdir 2; printf '%0100000d' 0 | tr 0 '[' > 2/manifest.json",
        "mkdir 2; mkfifo 2/manifest.json",
        "mkdir 2 2/manifest.json",
        "ln -s 2 2",
        "mkdir 99999999999999999999 2.torn 2.tmp; touch 3 4.tmp; mkfifo 5 6.tmp"
      })
  void attemptEndsAndTheNextOneContinues(String leave) {
    String script = "train; cd \"$ELASTUNE_CHECKPOINT_DIR\"; " + leave + "; exit 3";
    engine.start(spec("7-1-1", 0, 1, lib(script), 1));
    Ended first = awaitEnd("7-1-1");
    engine.start(spec("7-1-2", 1, 3, lib("train"), 1));
    Ended second = awaitEnd("7-1-2");

    assertThat(first.exitCode()).as(first.toString()).isEqualTo(3);
    assertThat(first.checkpoint()).hasValue(1);
    assertThat(second.exitCode()).as("%s %s", second, events.faults("7-1-2")).isZero();
    assertThat(second.checkpoint()).hasValue(3);
  }
}
