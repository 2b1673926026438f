/** The JSON documents of plans and predictions. Their keys are a public contract. */
@NullMarked
package io.elastune.plan.json;

import org.jspecify.annotations.NullMarked;
