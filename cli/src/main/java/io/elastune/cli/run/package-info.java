/** The command {@code run}: measure, plan, ask, carry out, report. */
@NullMarked
package io.elastune.cli.run;

import org.jspecify.annotations.NullMarked;
