"""Edges of graphs and networks: what lies between two nodes, and what the nodes get of it."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import Composition, array_name, elements
from weft.kernels.endings import Style, asked
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Formula, Kind, Load, Quantity, Setting, number, space, vector, whole
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import plural

GATHER = ("gather",)
"""What formulas teach that read through indices."""

edge = Domain("edge", index=("e", "edge", "i"), half=True)


def end(k: Builder, which: str) -> Name:
    """The node at one end of the thread's edge."""

    def found() -> Name:
        k.sizes["num_nodes"] = k.once("nodes", lambda: k.rng.pick("max(n // 3, 1)", "max(n // 4, 2)", "500"))
        return k.let(which, k.input(plural(which), I32, k.shape, {"integers": [0, "num_nodes"]})[k.index])

    return k.once(f"{which} in {k.name}", found)


def at(which: str, low: float, high: float, kind: Kind) -> Load:
    """Reads what a node has at one end of the edge."""

    def read(k: Builder, name: str) -> Expr:
        of = kind(k)
        recipe = uniform(low, high) if scalar_of(of).is_float else {"integers": [int(low), int(high) + 1]}
        array = k.input(plural(name.removeprefix(f"{which}_")), of, ["num_nodes"], recipe)
        return array[end(k, which)]

    def load(k: Builder, name: str) -> Expr:
        end(k, which)
        return read(k, name)

    return load


def ends(name: str, low: float, high: float, kind: Kind = number) -> tuple[Quantity, Quantity]:
    """A quantity of nodes as it is at the source and at the target."""
    source, target = (
        Quantity(f"{which}_{name}", low, high, kind, load=at(which, low, high, kind))
        for which in ("source", "target")
    )
    return source, target


source_level, target_level = ends("level", -1.0, 1.0)
source_position, target_position = ends("position", -1.0, 1.0, space)
source_velocity, target_velocity = ends("velocity", -1.0, 1.0, space)
source_distance, _ = ends("distance", 0.0, 20.0)
source_rank, _ = ends("rank", 0.0, 1.0)
source_degree, target_degree = ends("degree", 1, 9, whole)
source_feature, target_feature = ends("feature", -1.0, 1.0, vector(4))
source_community, target_community = ends("community", 0, 4, whole)
source_mass, target_mass = ends("mass", 0.5, 2.0)
source_phase, target_phase = ends("phase", -3.0, 3.0)
source_share, target_share = ends("infected_share", 0.0, 1.0)

offset = Quantity("offset", -2.0, 2.0, space, derived=True)
length = Quantity("length", 0.1, 3.0, least=0.0, most=10.0, extremal=True, additive=True)
rest_length = Quantity("rest_length", 0.3, 1.0)
stiffness = Quantity("stiffness", 1.0, 20.0, plural="stiffnesses")
strain = Quantity("strain", -0.5, 0.5, extremal=True, signed=True)
tension = Quantity("tension", -5.0, 5.0, extremal=True)
spring_force = Quantity("spring_force", -5.0, 5.0, space)
elastic_energy = Quantity("elastic_energy", 0.0, 5.0, plural="elastic_energies", additive=True)
conductance = Quantity("conductance", 0.1, 2.0)
flow = Quantity("flow", -2.0, 2.0)
stream_velocity = Quantity("stream_velocity", -1.0, 1.0, plural="stream_velocities")
dissipation = Quantity("dissipation", 0.0, 4.0, least=0.0, additive=True)
affinity = Quantity("affinity", 0.0, 1.0, plural="affinities", additive=True)
candidate = Quantity("candidate_distance", 0.0, 25.0)
travel_time = Quantity("travel_time", 0.5, 5.0, least=0.0, additive=True, extremal=True)
traffic = Quantity("traffic_flow", 0.0, 4.0)
capacity = Quantity("capacity", 1.0, 5.0, plural="capacities")
contribution = Quantity("contribution", 0.0, 1.0, most=10.0)
cut = Quantity("cut_flag", 0, 1, whole, least=0, most=1)
gap_energy = Quantity("gap_energy", 0.0, 4.0, plural="gap_energies", additive=True)
score = Quantity("score", -3.0, 3.0, extremal=True)
probability = Quantity("link_probability", 0.0, 1.0, plural="link_probabilities")
observed = Quantity("observed_flag", 0, 1, whole)
loss = Quantity("loss", 0.0, 3.0, plural="losses", additive=True)
curvature = Quantity("curvature", -10.0, 4.0)
phase_pull = Quantity("phase_pull", -1.0, 1.0)
multiplier = Quantity("multiplier", -1.0, 1.0)
correction = Quantity("correction", -0.5, 0.5, space)

SourceLevel = Annotated[Expr, source_level]
TargetLevel = Annotated[Expr, target_level]
SourcePosition = Annotated[Expr, source_position]
TargetPosition = Annotated[Expr, target_position]
SourceVelocity = Annotated[Expr, source_velocity]
TargetVelocity = Annotated[Expr, target_velocity]
SourceDegree = Annotated[Expr, source_degree]
TargetDegree = Annotated[Expr, target_degree]
SourceFeature = Annotated[Expr, source_feature]
TargetFeature = Annotated[Expr, target_feature]
SourceCommunity = Annotated[Expr, source_community]
TargetCommunity = Annotated[Expr, target_community]
SourceMass = Annotated[Expr, source_mass]
TargetMass = Annotated[Expr, target_mass]
Offset = Annotated[Expr, offset]
Length = Annotated[Expr, length]
RestLength = Annotated[Expr, rest_length]
Stiffness = Annotated[Expr, stiffness]
Strain = Annotated[Expr, strain]
Tension = Annotated[Expr, tension]
SpringForce = Annotated[Expr, spring_force]
ElasticEnergy = Annotated[Expr, elastic_energy]
Conductance = Annotated[Expr, conductance]
Flow = Annotated[Expr, flow]
Affinity = Annotated[Expr, affinity]
Candidate = Annotated[Expr, candidate]
TravelTime = Annotated[Expr, travel_time]
Contribution = Annotated[Expr, contribution]
Score = Annotated[Expr, score]
Probability = Annotated[Expr, probability]
Loss = Annotated[Expr, loss]
Observed = Annotated[Expr, observed]
Multiplier = Annotated[Expr, multiplier]
Dissipation = Annotated[Expr, dissipation]
GapEnergy = Annotated[Expr, gap_energy]


@edge.formula(goal=False)
def edge_offset(k: Builder, source_position: SourcePosition, target_position: TargetPosition) -> Offset:
    """Offset from source to target."""
    return target_position - source_position


@edge.formula()
def euclidean_length(k: Builder, offset: Offset) -> Length:
    """Edge length."""
    return ops.length(offset)


@edge.formula()
def edge_strain(k: Builder, length: Length, rest_length: RestLength) -> Strain:
    """Engineering strain."""
    return (length - rest_length) / rest_length


@edge.formula()
def hooke_tension(k: Builder, strain: Strain, stiffness: Stiffness) -> Tension:
    """Hooke tension."""
    return bounded(stiffness * strain, -1e3, 1e3)


@edge.formula()
def cable_tension(k: Builder, strain: Strain, stiffness: Stiffness) -> Tension:
    """Tension of a cable that cannot push."""
    return bounded(stiffness * ops.max(strain, 0.0), 0.0, 1e3)


@edge.formula(source="Provot 1995", teaches=GATHER)
def damped_tension(
    k: Builder,
    offset: Offset,
    length: Length,
    strain: Strain,
    stiffness: Stiffness,
    source_velocity: SourceVelocity,
    target_velocity: TargetVelocity,
    damping: Annotated[Expr, Setting(0.1, 1.0)],
) -> Tension:
    """Damped Hooke tension."""
    closing = ops.dot(target_velocity - source_velocity, offset) / ops.max(length, 1e-3)
    return bounded(stiffness * strain + damping * closing, -1e4, 1e4)


@edge.formula()
def tension_force(k: Builder, tension: Tension, offset: Offset, length: Length) -> SpringForce:
    """Spring force along an edge."""
    return bounded(tension / ops.max(length, 1e-3) * offset, -1e4, 1e4)


@edge.formula(source="Fruchterman and Reingold 1991")
def layout_attraction(
    k: Builder, offset: Offset, length: Length, ideal_length: Annotated[Expr, Setting(0.3, 1.0)]
) -> SpringForce:
    """Fruchterman-Reingold attraction."""
    return length / ideal_length * offset


@edge.formula(source="Eades 1984")
def logarithmic_spring(
    k: Builder, offset: Offset, length: Length, ideal_length: Annotated[Expr, Setting(0.3, 1.0)]
) -> SpringForce:
    """Eades' logarithmic spring force."""
    short = k.let("distance", ops.max(length, 0.01))
    return bounded(ops.log(short / ideal_length) / short * offset, -20.0, 20.0)


@edge.formula()
def hooke_energy(k: Builder, tension: Tension, length: Length, rest_length: RestLength) -> ElasticEnergy:
    """Elastic energy of a spring."""
    return ops.max(0.5 * tension * (length - rest_length), 0.0)


@edge.formula(source="Macklin, Müller and Chentanez 2016", teaches=GATHER)
def compliant_multiplier(
    k: Builder,
    length: Length,
    rest_length: RestLength,
    source_mass: SourceMass,
    target_mass: TargetMass,
    compliance: Annotated[Expr, Setting(0.01, 0.2)],
) -> Multiplier:
    """XPBD multiplier of a distance constraint."""
    return (rest_length - length) / (1.0 / source_mass + 1.0 / target_mass + compliance)


@edge.formula(source="Müller, Heidelberger, Hennix and Ratcliff 2007")
def projected_correction(
    k: Builder, offset: Offset, length: Length, multiplier: Multiplier
) -> Annotated[Expr, correction]:
    """XPBD position correction along an edge."""
    return bounded(multiplier / ops.max(length, 1e-3) * offset, -1e3, 1e3)


@edge.formula(source="Fick 1855", teaches=GATHER)
def diffusive_flow(
    k: Builder, source_level: SourceLevel, target_level: TargetLevel, conductance: Conductance
) -> Flow:
    """Diffusive flow by Fick's law."""
    return conductance * (source_level - target_level)


@edge.formula(source="Patankar 1980", teaches=GATHER)
def upwind_flow(
    k: Builder,
    source_level: SourceLevel,
    target_level: TargetLevel,
    stream_velocity: Annotated[Expr, stream_velocity],
) -> Flow:
    """Upwind flux along an edge."""
    return stream_velocity * ops.where(stream_velocity > 0.0, source_level, target_level)


@edge.formula(source="Scharfetter and Gummel 1969", teaches=GATHER)
def fitted_flow(
    k: Builder,
    source_level: SourceLevel,
    target_level: TargetLevel,
    conductance: Conductance,
    peclet: Annotated[Expr, Quantity("peclet_number", 0.1, 4.0)],
) -> Flow:
    """Scharfetter-Gummel flux."""
    growth = k.let("growth", ops.exp(peclet))
    return conductance * peclet * (growth * source_level - target_level) / ops.max(growth - 1.0, 0.1)


@edge.formula(source="Williams and Hazen 1905", teaches=GATHER)
def pipe_flow(
    k: Builder, source_level: SourceLevel, target_level: TargetLevel, conductance: Conductance
) -> Flow:
    """Hazen-Williams pipe flow."""
    head = k.let("head", source_level - target_level)
    return conductance * ops.sign(head) * ops.pow(ops.abs(head) + 1e-6, 0.54)


@edge.formula(teaches=GATHER)
def orifice_flow(
    k: Builder, source_level: SourceLevel, target_level: TargetLevel, conductance: Conductance
) -> Flow:
    """Orifice flow by Torricelli's law."""
    head = k.let("head", source_level - target_level)
    return conductance * ops.sign(head) * ops.sqrt(2.0 * ops.abs(head))


@edge.formula(teaches=GATHER)
def logistic_flow(
    k: Builder,
    source_level: SourceLevel,
    target_level: TargetLevel,
    saturation: Annotated[Expr, Setting(0.5, 2.0)],
) -> Flow:
    """Saturating flow."""
    return ops.tanh((source_level - target_level) / saturation)


@edge.formula(source="Kirchhoff 1847")
def joule_dissipation(k: Builder, flow: Flow, conductance: Conductance) -> Dissipation:
    """Joule dissipation."""
    return bounded(flow * flow / conductance, 0.0, 1e5)


@edge.formula(teaches=GATHER)
def potential_dissipation(
    k: Builder, flow: Flow, source_level: SourceLevel, target_level: TargetLevel
) -> Dissipation:
    """Dissipation of a flow between two levels."""
    return ops.max(flow * (source_level - target_level), 0.0)


@edge.formula(source="Zhu, Ghahramani and Lafferty 2003")
def gaussian_affinity(k: Builder, length: Length, bandwidth: Annotated[Expr, Setting(0.3, 1.0)]) -> Affinity:
    """Gaussian affinity."""
    return ops.exp(-length * length / (2.0 * bandwidth * bandwidth))


@edge.formula()
def reciprocal_affinity(k: Builder, length: Length) -> Affinity:
    """Inverse-distance affinity."""
    return 1.0 / (1.0 + length)


@edge.formula(source="Shi and Malik 2000", teaches=GATHER)
def intensity_affinity(
    k: Builder,
    source_level: SourceLevel,
    target_level: TargetLevel,
    length: Length,
    bandwidth: Annotated[Expr, Setting(0.2, 0.8)],
) -> Affinity:
    """Normalized-cut affinity from intensity and distance."""
    gap = k.let("diff", (source_level - target_level) / bandwidth)
    return ops.exp(-0.5 * (gap * gap + length * length))


@edge.formula(source="Zipf 1946", teaches=GATHER)
def gravity_traffic(
    k: Builder, source_mass: SourceMass, target_mass: TargetMass, length: Length
) -> Annotated[Expr, traffic]:
    """Traffic by the gravity model."""
    return source_mass * target_mass / ops.max(length * length, 0.05)


@edge.formula(source="Bureau of Public Roads 1964")
def congested_time(
    k: Builder,
    length: Length,
    traffic_flow: Annotated[Expr, traffic],
    capacity: Annotated[Expr, capacity],
    free_speed: Annotated[Expr, Setting(0.5, 2.0)],
) -> TravelTime:
    """BPR congestion travel time."""
    load = k.let("load", ops.min(traffic_flow / capacity, 3.0))
    square = k.let("square", load * load)
    return length / free_speed * (1.0 + 0.15 * square * square)


@edge.formula(source="Davidson 1966")
def queueing_time(
    k: Builder, traffic_flow: Annotated[Expr, traffic], capacity: Annotated[Expr, capacity]
) -> TravelTime:
    """Queueing delay near capacity."""
    load = k.let("load", ops.min(traffic_flow / capacity, 0.95))
    return 0.5 + load / (1.0 - load)


@edge.formula(source="Dijkstra 1959", teaches=GATHER)
def relaxed_distance(
    k: Builder, source_distance: Annotated[Expr, source_distance], length: Length
) -> Candidate:
    """Candidate distance through the source."""
    return bounded(source_distance + length, 0.0, 40.0)


@edge.formula(teaches=GATHER)
def timed_distance(
    k: Builder, source_distance: Annotated[Expr, source_distance], travel_time: TravelTime
) -> Candidate:
    """Candidate arrival time through the source."""
    return source_distance + travel_time


@edge.formula(source="Page, Brin, Motwani and Winograd 1999", teaches=GATHER)
def pushed_rank(
    k: Builder, source_rank: Annotated[Expr, source_rank], source_degree: SourceDegree
) -> Contribution:
    """Push-style PageRank contribution."""
    return source_rank / convert(k.real, source_degree)


@edge.formula(teaches=GATHER)
def weighted_push(k: Builder, source_rank: Annotated[Expr, source_rank], affinity: Affinity) -> Contribution:
    """Weighted rank contribution."""
    return source_rank * affinity


@edge.formula(source="Pastor-Satorras and Vespignani 2001", teaches=GATHER)
def infection_contribution(
    k: Builder,
    source_infected_share: Annotated[Expr, source_share],
    target_infected_share: Annotated[Expr, target_share],
    contagion: Annotated[Expr, Setting(0.1, 0.6)],
) -> Contribution:
    """Infection pressure along an edge."""
    return contagion * source_infected_share * (1.0 - target_infected_share)


@edge.formula(teaches=GATHER)
def cut_edge(
    k: Builder, source_community: SourceCommunity, target_community: TargetCommunity
) -> Annotated[Expr, cut]:
    """Cut flag of an edge between two communities."""
    return conditional(source_community.differs(target_community), lift(1, I32), 0)


@edge.formula(source="Belkin and Niyogi 2003", teaches=GATHER)
def smoothness_energy(
    k: Builder, source_level: SourceLevel, target_level: TargetLevel, affinity: Affinity
) -> GapEnergy:
    """Weighted smoothness energy."""
    gap = k.let("diff", source_level - target_level)
    return bounded(affinity * gap * gap, 0.0, 4.0)


@edge.formula(teaches=GATHER)
def robust_energy(
    k: Builder,
    source_level: SourceLevel,
    target_level: TargetLevel,
    scale: Annotated[Expr, Setting(0.2, 0.8)],
) -> GapEnergy:
    """Geman-McClure energy."""
    gap = k.let("diff", source_level - target_level)
    return gap * gap / (scale * scale + gap * gap)


@edge.formula(teaches=GATHER)
def potts_energy(
    k: Builder, source_community: SourceCommunity, target_community: TargetCommunity, affinity: Affinity
) -> GapEnergy:
    """Potts energy."""
    return ops.where(source_community.equals(target_community), 0.0, affinity)


@edge.formula(teaches=GATHER)
def inner_product_score(k: Builder, source_feature: SourceFeature, target_feature: TargetFeature) -> Score:
    """Inner product of the end nodes' features."""
    return ops.dot(source_feature, target_feature)


@edge.formula(teaches=GATHER)
def cosine_score(k: Builder, source_feature: SourceFeature, target_feature: TargetFeature) -> Score:
    """Cosine similarity of the end nodes' features."""
    norms = ops.length(source_feature) * ops.length(target_feature)
    return bounded(ops.dot(source_feature, target_feature) / ops.max(norms, 1e-3), -1.0, 1.0)


@edge.formula(source="Bordes, Usunier, Garcia-Durán, Weston and Yakhnenko 2013", teaches=GATHER)
def translation_score(
    k: Builder,
    source_feature: SourceFeature,
    target_feature: TargetFeature,
    relation: Annotated[Expr, Setting(-0.5, 0.5, "p", vector(4))],
) -> Score:
    """TransE link score."""
    return -ops.length(source_feature + relation - target_feature)


@edge.formula(source="Yang, Yih, He, Gao and Deng 2015", teaches=GATHER)
def bilinear_score(
    k: Builder,
    source_feature: SourceFeature,
    target_feature: TargetFeature,
    relation: Annotated[Expr, Setting(-1.0, 1.0, "p", vector(4))],
) -> Score:
    """DistMult link score."""
    return ops.dot(ops.cw_mul(source_feature, relation), target_feature)


@edge.formula(source="Veličković, Cucurull, Casanova, Romero, Liò and Bengio 2018", teaches=GATHER)
def attention_score(
    k: Builder,
    source_feature: SourceFeature,
    target_feature: TargetFeature,
    source_attention: Annotated[Expr, Setting(-1.0, 1.0, "p", vector(4))],
    target_attention: Annotated[Expr, Setting(-1.0, 1.0, "p", vector(4))],
    slope: Annotated[Expr, Setting(0.1, 0.3)],
) -> Score:
    """Graph attention (GAT) logits."""
    raw = k.let(
        "raw_score",
        ops.dot(source_attention, source_feature) + ops.dot(target_attention, target_feature),
    )
    return ops.max(raw, slope * raw)


@edge.formula(source="Kipf and Welling 2016")
def decoded_probability(k: Builder, score: Score) -> Probability:
    """Link probability from the logistic score."""
    return 1.0 / (1.0 + ops.exp(-score))


@edge.formula(source="Krioukov, Papadopoulos, Kitsak, Vahdat and Boguñá 2010")
def fermi_probability(
    k: Builder,
    length: Length,
    radius: Annotated[Expr, Setting(0.5, 1.5)],
    temperature: Annotated[Expr, Setting(0.1, 0.5)],
) -> Probability:
    """Link probability by the Fermi function."""
    return 1.0 / (1.0 + ops.exp(ops.min((length - radius) / temperature, 20.0)))


@edge.formula()
def link_loss(k: Builder, link_probability: Probability, observed_flag: Observed) -> Loss:
    """Cross-entropy loss of a predicted link."""
    likelihood = k.let(
        "likelihood", ops.where(observed_flag.equals(1), link_probability, 1.0 - link_probability)
    )
    return -ops.log(ops.max(likelihood, 1e-6))


@edge.formula()
def margin_loss(
    k: Builder, score: Score, observed_flag: Observed, margin: Annotated[Expr, Setting(0.3, 1.0)]
) -> Loss:
    """Margin hinge loss of a link score."""
    signed = ops.where(observed_flag.equals(1), score, -score)
    return ops.max(margin - signed, 0.0)


@edge.formula(source="Forman 2003", teaches=GATHER)
def forman_curvature(
    k: Builder, source_degree: SourceDegree, target_degree: TargetDegree
) -> Annotated[Expr, curvature]:
    """Forman curvature."""
    return convert(k.real, 4 - source_degree - target_degree)


@edge.formula(source="Kuramoto 1975", teaches=GATHER)
def oscillator_pull(
    k: Builder,
    source_phase: Annotated[Expr, source_phase],
    target_phase: Annotated[Expr, target_phase],
    coupling: Annotated[Expr, Setting(0.2, 1.0)],
) -> Annotated[Expr, phase_pull]:
    """Kuramoto coupling along an edge."""
    return bounded(coupling * ops.sin(source_phase - target_phase), -1.0, 1.0)


@edge.formula(source="Newman and Girvan 2004", teaches=GATHER)
def modularity_term(
    k: Builder,
    source_community: SourceCommunity,
    target_community: TargetCommunity,
    source_degree: SourceDegree,
    target_degree: TargetDegree,
    total_degree: Annotated[Expr, Setting(200.0, 900.0, "p")],
) -> Affinity:
    """Modularity term."""
    expected = convert(k.real, source_degree * target_degree) / total_degree
    return bounded(ops.where(source_community.equals(target_community), 1.0 - expected, 0.0), 0.0, 1.0)


TO_BOTH = (flow, spring_force, correction)
"""What one end gains and the other loses."""
TO_TARGET = (contribution, phase_pull, affinity, probability, traffic, dissipation, gap_energy)


@asked(lambda domain, goal: domain is edge and goal.result in (*TO_BOTH, *TO_TARGET, candidate), 6.0)
def at_nodes(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """What each edge has goes to its nodes by atomics: added to one or both, or the least is kept."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    value = made.named(goal.result.name, made.evaluate(goal))
    name = array_name(goal.result.name, goal.result)
    gains, loses = ("source", "target") if goal.result is spring_force else ("target", "source")
    if goal.result is candidate:
        distances = k.array("new_distances", value.type, ["num_nodes"], {"constant": 40.0}, "inout")
        k.atomic("min", distances, end(k, "target"), value)
        k.notes.append("An atomic minimum keeps the smallest for each target")
    else:
        k.equality = "bounded"
        both = goal.result in TO_BOTH
        out = k.array(
            f"{'net' if both else 'node'}_{name}", value.type, ["num_nodes"], {"constant": 0.0}, "inout"
        )
        k.atomic("add", out, end(k, gains), value)
        if both:
            k.atomic("sub", out, end(k, loses), value)
            k.notes.append(
                f"It is added to {out.parameter.name} at the {gains} and subtracted at the {loses}"
            )
        else:
            k.notes.append(f"All that arrives at a target is added up in {out.parameter.name}")
    made.describe()
