package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.elastune.executor.decision.model.FailureCause.Kind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which cause the message of a failure has. */
class FailureCauseTest {
  private static final String TRACE =
      "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n";

  static Stream<Arguments> messages() {
    return Stream.of(
        failure(
            TRACE + "ModuleNotFoundError: No module named 'elastune_trial'",
            Kind.MISSING_MODULE,
            "elastune_trial"),
        failure("/usr/bin/python3: No module named torch.run", Kind.MISSING_MODULE, "torch.run"),
        failure(
            "Error in library(xgboost) : there is no package called ‘xgboost’",
            Kind.MISSING_MODULE,
            "xgboost (R)"),
        failure("Error: Cannot find module 'left-pad'", Kind.MISSING_MODULE, "left-pad (Node.js)"),
        failure(
            "ERROR: LoadError: ArgumentError: Package Flux not found in current path.",
            Kind.MISSING_MODULE,
            "Flux (Julia)"),
        failure(
            "train.rb:1:in 'require': cannot load such file -- numo/narray (LoadError)",
            Kind.MISSING_MODULE,
            "numo/narray (Ruby)"),
        failure(
            "Can't locate PDL.pm in @INC (you may need to install the PDL module) (@INC entries:"
                + " /etc/perl) at train.pl line 1.",
            Kind.MISSING_MODULE,
            "PDL (Perl)"),
        failure("memory allocation of 8589934592 bytes failed", Kind.OUT_OF_MEMORY, "needs 8.6 GB"),
        failure("RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED", Kind.OUT_OF_MEMORY, ""),
        failure(
            "RuntimeError: DefaultCPUAllocator: not enough memory: you tried to allocate 64000000"
                + " bytes.",
            Kind.OUT_OF_MEMORY,
            "needs 0.064 GB"),
        failure(
            "XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 2.00GiB"
                + " (2147483648B)",
            Kind.OUT_OF_MEMORY,
            "needs 2.1 GB"),
        failure("xgboost.core.XGBoostError: bad allocation", Kind.OUT_OF_MEMORY, ""),
        failure(
            TRACE
                + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has"
                + " a total capacity of 2.00 GiB of which 200.00 MiB is free. Of the allocated"
                + " memory 1.50 GiB is allocated by PyTorch, and 10.00 MiB is reserved.",
            Kind.OUT_OF_MEMORY,
            "needs 2.7 GB of 2.1 GB"),
        failure(
            "RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 4.00 GiB total"
                + " capacity; 3.50 GiB already allocated)",
            Kind.OUT_OF_MEMORY,
            "needs 4.3 GB of 4.3 GB"),
        failure(
            "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array",
            Kind.OUT_OF_MEMORY,
            "needs 8.0 GB"),
        failure("MemoryError", Kind.OUT_OF_MEMORY, ""),
        failure(
            "java.lang.OutOfMemoryError: Java heap space\n\tat Main.main(Main.java:3)",
            Kind.OUT_OF_MEMORY,
            ""),
        failure(
            "terminate called after throwing an instance of 'std::bad_alloc'\n"
                + "  what():  std::bad_alloc",
            Kind.OUT_OF_MEMORY,
            ""),
        failure(
            "ResourceExhaustedError: OOM when allocating tensor with shape[512,2048]",
            Kind.OUT_OF_MEMORY,
            ""),
        failure(
            "RuntimeError: [enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't"
                + " allocate memory: you tried to allocate 4000000000 bytes.",
            Kind.OUT_OF_MEMORY,
            "needs 4.0 GB"),
        failure("ValueError: loss is nan", Kind.DIVERGED, "ValueError: loss is nan"),
        failure(
            "ValueError: Input X contains NaN.\nwandb: done",
            Kind.DIVERGED,
            "ValueError: Input X contains NaN."),
        failure("training diverged", Kind.DIVERGED, "training diverged"),
        failure(
            TRACE + "KeyError: 'label'\nwandb: View run at https://example.org",
            Kind.EXCEPTION,
            "KeyError: 'label'"),
        // What a program says before its error is no cause.
        failure(
            "CUDA out of memory: halving the batch\n" + TRACE + "KeyError: 'label'",
            Kind.EXCEPTION,
            "KeyError: 'label'"),
        failure(
            "hint: if you see 'No space left on device', clean ~/.cache\n" + TRACE + "KeyError: 1",
            Kind.EXCEPTION,
            "KeyError: 1"),
        failure(
            "ResourceExhaustedError: disk quota exceeded [Op:SaveV2]",
            Kind.EXCEPTION,
            "ResourceExhaustedError: disk quota exceeded [Op:SaveV2]"),
        failure(
            "[1] json.decoder.JSONDecodeError: Expecting value: line 1",
            Kind.EXCEPTION,
            "[1] json.decoder.JSONDecodeError: Expecting value: line 1"),
        failure(
            "Exception in thread \"main\" java.lang.IllegalStateException: no data\n\tat A.b(A.java)",
            Kind.EXCEPTION,
            "Exception in thread \"main\" java.lang.IllegalStateException: no data"),
        failure("something went wrong", Kind.EXIT_CODE, "1: something went wrong"),
        arguments(
            "exit 127; last lines:\nbash: line 1: trainer: command not found",
            Kind.MISSING_PROGRAM,
            "trainer"),
        arguments(
            "exit 127; last lines:\nsh: 1: trainer: not found", Kind.MISSING_PROGRAM, "trainer"),
        arguments("exit 3", Kind.EXIT_CODE, "3"),
        arguments("exit 139", Kind.SIGNAL, "11"),
        arguments(
            "killed by SIGKILL, out of memory (the kernel's counter rose); peak memory 1.9 GB of"
                + " 2.0 GB",
            Kind.OUT_OF_MEMORY,
            "used 1.9 GB of 2.0 GB"),
        arguments(
            "killed by SIGKILL (exit 137), perhaps out of memory",
            Kind.OUT_OF_MEMORY,
            "perhaps, killed by SIGKILL"),
        arguments(
            "exit 1; peak memory 1.90 GB of 2.00 GB; last lines:\nMemoryError",
            Kind.OUT_OF_MEMORY,
            "used 1.9 GB of 2.0 GB"),
        arguments(
            "exit 1; this Python: /usr/bin/python3; last lines:\nModuleNotFoundError: No module named"
                + " 'tqdm'",
            Kind.MISSING_MODULE,
            "tqdm in /usr/bin/python3"),
        arguments("stopped as hung after unit 3", Kind.TIME_OUT, ""),
        arguments("exited 0 without the report for unit 4", Kind.NO_REPORT, ""),
        arguments(
            "exited 0 without the report for unit 4; found 1 report, the last for unit 3; one"
                + " cannot be read: it is longer than the limit of 64 KiB: ELASTUNE {\"unit\": 4,"
                + " \"me…",
            Kind.UNREADABLE_REPORT,
            "it is longer than the limit of 64 KiB"),
        arguments(
            "exited 0 without the report for unit 4; found no report in the file of"
                + " ELASTUNE_REPORTS; one cannot be read: \"unit\" is not an integer: {\"unit\":"
                + " 1.5}",
            Kind.UNREADABLE_REPORT,
            "\"unit\" is not an integer"),
        arguments(
            "exited 0 without the report for unit 4; last lines:\n"
                + "ModuleNotFoundError: No module named 'tqdm'",
            Kind.MISSING_MODULE,
            "tqdm"),
        arguments(
            "left a torn checkpoint; the newest complete one is unit 0", Kind.TORN_CHECKPOINT, ""),
        arguments("requested a retry more than 10 times", Kind.RETRIES, ""),
        arguments(
            "could not start: folder /x does not exist",
            Kind.NOT_STARTED,
            "could not start: folder /x does not exist"),
        arguments("the disk is full (/x): exit 1", Kind.DISK_FULL, ""),
        arguments(
            "reported no finite value: loss NaN for epoch 3",
            Kind.DIVERGED,
            "loss NaN for epoch 3"));
  }

  private static Arguments failure(String output, Kind kind, String text) {
    return arguments("exit 1; last lines:\n" + output, kind, text);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void namesTheCause(String message, Kind kind, String text) {
    assertThat(FailureCause.of(message)).isEqualTo(new FailureCause(kind, text));
    assertThat(FailureCause.isFailure(message)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ValueError: lr 0.1 is too small|ValueError: lr 1e-05 is too small|true",
        "RuntimeError: at 0x7f3a|RuntimeError: at 0x11bc|true",
        "ValueError: batch 512|ValueError: depth 512|false",
        "RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB|MemoryError|true",
        "No module named 'a1'|No module named 'a2'|false",
      })
  void equalFailuresDifferInNumbersOnly(String one, String other, boolean equal) {
    String first = FailureCause.of("exit 1; last lines:\n" + one).key();
    String second = FailureCause.of("exit 1; last lines:\n" + other).key();
    assertThat(first.equals(second)).isEqualTo(equal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reported unit 1 after unit 2: report ignored",
        "dropped after 2 failed attempts",
        "saved no checkpoint for unit 3",
        "checkpoint 8 is missing or torn; it continues from unit 0 instead",
      })
  void otherFaultsAreNoFailures(String message) {
    assertThat(FailureCause.isFailure(message)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'exit 1; last lines:\nMemoryError', true",
    "'exit 1; last lines:\nKeyError: 1', false",
    "'killed by SIGKILL (exit 137), perhaps out of memory; peak memory 1.9 GB of 2.0 GB', false",
    "'killed by SIGKILL, out of memory (the kernel''s counter rose)', true",
    "'killed by SIGKILL, out of memory (counter); peak memory 1.2 GB of 2.0 GB', true",
    "'killed by SIGKILL, out of memory (counter); peak memory 0.2 GB of 2.0 GB', false",
  })
  void onlyTrialsThatUsedTheMemoryExhaustIt(String message, boolean exhausts) {
    assertThat(FailureCause.of(message.replace("\\n", "\n")).exhaustsMemory()).isEqualTo(exhausts);
  }

  @Test
  void emptyMessagesHaveACause() {
    assertThat(FailureCause.of("")).isEqualTo(new FailureCause(Kind.EXIT_CODE, ""));
  }
}
