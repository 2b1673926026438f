/** A run as one page for a browser: what happened when, what it cost, what was learnt, and why. */
@NullMarked
package io.elastune.cli.page;

import org.jspecify.annotations.NullMarked;
