/** Loads the inputs of planning: jobs, offers, profiles and plans. */
@NullMarked
package io.elastune.inputs;

import org.jspecify.annotations.NullMarked;
