/** Tests of commands that rent on Google Cloud: its client library and a fake Compute Engine. */
@NullMarked
package io.elastune.cli.gcp;

import org.jspecify.annotations.NullMarked;
